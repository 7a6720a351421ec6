import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import {
  type CatalogServer,
  type CatalogSnapshot,
  type CatalogTool,
  isAbsent,
  type JsonValue,
  type KeptCatalog,
  type Logger,
  messageOf,
  type ServerName,
} from '../core/index.js';
import { SyncedFile } from './synced-file.js';

const KIND = { format: 'pml-catalog', version: 1 };
const ENDING = '.json';
/** Of the hash of a server's name: names may differ in case alone, which not every disk tells apart. */
const NAME_LENGTH = 24;

interface Row {
  readonly server: CatalogServer;
  readonly tools: readonly CatalogTool[];
}

/**
 * The lists of servers in small synced files beside the store, one file per server: what the first
 * answers need is there before the store is open. A copy, so a file that cannot be relied on is
 * written again from the store.
 */
export class FileCatalog implements KeptCatalog {
  readonly #directory: string;
  readonly #log: Logger;
  /** What the files hold, without the times at which it was last seen. */
  readonly #digests = new Map<ServerName, string>();
  #turn: Promise<void> = Promise.resolve();

  constructor(directory: string, log: Logger) {
    this.#directory = directory;
    this.#log = log;
  }

  async load(): Promise<CatalogSnapshot | undefined> {
    try {
      const names = (await readdir(this.#directory)).filter((name) => name.endsWith(ENDING));
      const rows = await Promise.all(names.map((name) => this.#read(name)));
      for (const row of rows) this.#digests.set(row.server.name, digestOf(row));
      return {
        servers: rows.map(({ server }) => server),
        tools: rows.flatMap(({ tools }) => tools),
      };
    } catch (error) {
      if (isAbsent(error)) return undefined;
      this.#log.warn('the lists of servers are read from the store', { error: messageOf(error) });
      return undefined;
    }
  }

  save(row: Row): Promise<void> {
    const { name } = row.server;
    const digest = digestOf(row);
    if (this.#digests.get(name) === digest) return this.#turn;
    this.#digests.set(name, digest);
    return this.#inTurn(async () => {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      // Dates become texts.
      await this.#fileOf(fileName(name)).write(row as unknown as JsonValue);
    });
  }

  remove(server: ServerName): Promise<void> {
    this.#digests.delete(server);
    return this.#inTurn(() => rm(join(this.#directory, fileName(server)), { force: true }));
  }

  async #read(name: string): Promise<Row> {
    const value = await this.#fileOf(name).read();
    // Of our own writing: its checksum was right.
    return reviveRow(value as unknown as Row);
  }

  #fileOf(name: string): SyncedFile {
    return new SyncedFile(join(this.#directory, name), KIND);
  }

  /** The store has it as well: what cannot be written here costs the next start its head start. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).catch((error: unknown) => {
      this.#log.warn('the lists of a server are kept in the store alone', {
        error: messageOf(error),
      });
    });
    return this.#turn;
  }
}

function fileName(server: ServerName): string {
  return `${createHash('sha256').update(server).digest('hex').slice(0, NAME_LENGTH)}${ENDING}`;
}

function digestOf({ server, tools }: Row): string {
  const { lastSeen: _seen, ...stable } = server;
  const hash = createHash('sha256').update(JSON.stringify(stable));
  for (const { id, hash: definition, status, reason = '' } of tools) {
    hash.update(`${id}\n${definition}\n${status}\n${reason}\n`);
  }
  return hash.digest('hex');
}

/** Of our own writing: only the dates have to be read. */
function reviveRow({ server, tools }: Row): Row {
  const seen = <T extends { firstSeen: Date; lastSeen: Date }>(one: T): T => ({
    ...one,
    firstSeen: new Date(one.firstSeen),
    lastSeen: new Date(one.lastSeen),
  });
  return {
    server: { ...seen(server), probedAt: new Date(server.probedAt) },
    tools: tools.map(seen),
  };
}
