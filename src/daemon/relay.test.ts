import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { PmlError } from '../core/index.js';
import type { Hello, SideMessage } from './hello.js';
import { readFirstLine } from './read-first-line.js';
import { Relay } from './relay.js';

const line = (message: object) => `${JSON.stringify(message)}\n`;
const REPLY = line({ ok: true, version: '0.0.0', pid: 1 });

/** A daemon whose every message the test chooses. */
async function fakeDaemon(path: string, onHello: (hello: Hello, socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    void readFirstLine(socket, 10_000).then(({ line: text }) => {
      socket.resume();
      onHello(JSON.parse(text) as Hello, socket);
    });
  });
  server.listen(path);
  await once(server, 'listening');
  return server;
}

test.skipIf(process.platform === 'win32')(
  'relay applies a progress report only after it received the answers that the report counts',
  async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'd.sock');
    const [input, output] = [new PassThrough(), new PassThrough()];
    const answer = line({ jsonrpc: '2.0', id: 2, result: {} });
    const progress = { type: 'progress', read: 0 } as const;
    const reports: readonly SideMessage[] = [
      { ...progress, written: 0, open: [{ id: 1 }] },
      // The client has cancelled request 1, so it expects no answer.
      { ...progress, written: answer.length, open: [] },
    ];
    const sessions: Socket[] = [];
    let cameBack = () => {};
    const isBack = new Promise<void>((resolve) => (cameBack = resolve));
    const server = await fakeDaemon(path, (hello, socket) => {
      if (hello.kind === 'side') return void die(socket);
      socket.write(REPLY);
      if (sessions.push(socket) === 2) cameBack();
    });
    const die = async (side: Socket) => {
      if (sessions.length > 1) return side.end();
      side.write(REPLY + reports.map(line).join(''));
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      sessions[0]?.write(answer);
      await once(output, 'readable');
      sessions[0]?.destroy();
      return side.destroy();
    };
    const relay = new Relay({
      path,
      version: '0.0.0',
      config: '',
      input,
      output,
      startDaemon: () => {},
      startError: () => undefined,
      silenceError: async () => new PmlError('DAEMON_SILENT', 'it does not answer'),
      say: () => {},
    });

    const running = relay.run();
    await isBack;

    expect((output.read() as Buffer).toString()).toBe(answer);
    input.end();
    sessions[1]?.end();
    await running;
    server.close();
  },
);
