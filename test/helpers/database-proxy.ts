import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

import { temporaryFolder } from './temporary-folder.js';

export interface DatabaseProxy extends AsyncDisposable {
  readonly url: string;
  /**
   * Connections break at the server's next answer: it did the work, but no client learns of it.
   * With `thenCut`, the server is unreachable from then on.
   */
  loseAnswers(options?: { thenCut: boolean }): void;
  /** Connections break at once; new ones do too until `restore`. */
  cut(): void;
  restore(): void;
}

/** A proxy to a PostgreSQL server that breaks connections on command. */
export async function startDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const folder = await temporaryFolder();
  const { hostname, port, searchParams } = new URL(url);
  const place = searchParams.get('host') ?? hostname;
  const socketName = `.s.PGSQL.${port || 5432}`;
  const clients = new Map<Socket, { isMuted: boolean; thenCut: boolean }>();
  let isCut = false;

  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    if (isCut) return void client.destroy();
    const state = { isMuted: false, thenCut: false };
    clients.set(client, state);
    const upstream = place.startsWith('/')
      ? connect(join(place, socketName))
      : connect(Number(port || 5432), place);
    client.on('data', (data) => upstream.write(data));
    client.on('close', () => {
      clients.delete(client);
      upstream.destroy();
    });
    upstream.on('data', (data) => {
      if (!state.isMuted) return void client.write(data);
      isCut ||= state.thenCut;
      client.destroy();
    });
    upstream.on('error', () => client.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(join(folder.path, socketName));
  await once(server, 'listening');

  const through = new URL(url);
  through.searchParams.set('host', folder.path);
  const destroyAll = () => {
    for (const client of clients.keys()) client.destroy();
  };
  return {
    url: through.href,
    loseAnswers: ({ thenCut } = { thenCut: false }) => {
      for (const state of clients.values()) Object.assign(state, { isMuted: true, thenCut });
    },
    cut: () => {
      isCut = true;
      destroyAll();
    },
    restore: () => {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      destroyAll();
      server.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
