import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

import {
  type Capability,
  type CapabilityStore,
  type CapabilityUpdate,
  type Logger,
  messageOf,
  PmlError,
} from '../core/index.js';
import { applyUpdate } from './apply-update.js';
import { encodeAll, encodeUpdate, type FileState, readLines } from './capability-lines.js';
import { openPrivate, readPrivate, replacePrivate } from './private-file.js';

/** A file shorter than this is not worth shortening. */
const LEAST_BYTES = 256_000;

/**
 * Capabilities in one file of the data directory. An update is appended and synced; the file is
 * rewritten when most of it is out of date. It needs no store and survives the loss of one.
 */
export class FileCapabilityStore implements CapabilityStore, AsyncDisposable {
  readonly #path: string;
  readonly #log: Logger;
  #rows = new Map<string, Capability>();
  #isComplete = false;
  #isDamaged = false;
  /** Undefined before the first write and after a failed one: the next one rewrites the file. */
  #file: FileHandle | undefined;
  #bytes = 0;
  #shortestBytes = 0;
  #turn: Promise<void>;

  private constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
    this.#turn = Promise.resolve();
  }

  static async open(path: string, log: Logger): Promise<FileCapabilityStore> {
    const store = new FileCapabilityStore(path, log);
    await attempt(path, 'read', () => store.#open());
    return store;
  }

  /** Whether the file is complete; otherwise the store may know more. */
  get isComplete(): boolean {
    return this.#isComplete && !this.#isDamaged;
  }

  /** Whether lines of the file are unreadable: it may show outdated capabilities. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  async load(): Promise<readonly Capability[]> {
    await this.#turn;
    return [...this.#rows.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  save(update: CapabilityUpdate): Promise<void> {
    return this.#inTurn(() => this.#append(update));
  }

  /** Replaces all capabilities and makes the file complete. */
  replace(all: readonly Capability[]): Promise<void> {
    return this.#inTurn(async () => {
      const rows = new Map(all.map((one) => [one.name, one]));
      await this.#rewrite(rows, { isComplete: true, isDamaged: false });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turn;
    await this.#file?.close();
    this.#file = undefined;
  }

  async #open(): Promise<void> {
    const bytes = await readPrivate(this.#path);
    if (!bytes) return;
    const { rows, isComplete, wasDamaged, damagedLines, goodBytes } = readLines(bytes, this.#path);
    this.#rows = rows;
    this.#isComplete = isComplete;
    this.#isDamaged = wasDamaged || damagedLines > 0;
    if (damagedLines > 0) return this.#putAside(bytes, damagedLines);
    if (goodBytes === 0) return;
    const file = await openPrivate(this.#path, constants.O_RDWR | constants.O_APPEND);
    if (file && goodBytes < bytes.length) await file.truncate(goodBytes);
    this.#file = file;
    this.#bytes = goodBytes;
    this.#shortestBytes = Buffer.byteLength(encodeAll(rows, this.#state));
  }

  get #state(): FileState {
    return { isComplete: this.isComplete, isDamaged: this.#isDamaged };
  }

  /** The next write replaces the file; a copy of the damaged file stays for inspection. */
  async #putAside(bytes: Buffer, damagedLines: number): Promise<void> {
    const copy = `${this.#path}.damaged`;
    await replacePrivate(copy, bytes);
    this.#log.error('some capabilities cannot be read', { file: copy, lines: damagedLines });
  }

  async #append(update: CapabilityUpdate): Promise<void> {
    const rows = applyUpdate(this.#rows, update);
    const line = Buffer.from(encodeUpdate(update));
    const isLong = this.#bytes + line.length > Math.max(LEAST_BYTES, 3 * this.#shortestBytes);
    if (!this.#file || isLong) return this.#rewrite(rows, this.#state);
    try {
      await this.#file.appendFile(line);
      await this.#file.datasync();
    } catch (error) {
      await this.#file.close().catch(() => {}); // The caller reports what could not be written.
      this.#file = undefined;
      throw error;
    }
    this.#bytes += line.length;
    this.#rows = rows;
  }

  async #rewrite(rows: Map<string, Capability>, state: FileState): Promise<void> {
    const content = Buffer.from(encodeAll(rows, state));
    const before = this.#file;
    // Even a failed replacement may have replaced the file that is open.
    this.#file = undefined;
    await before?.close();
    await replacePrivate(this.#path, content);
    this.#file = await openPrivate(this.#path, constants.O_RDWR | constants.O_APPEND);
    this.#bytes = content.length;
    this.#shortestBytes = content.length;
    this.#rows = rows;
    this.#isComplete = state.isComplete;
    this.#isDamaged = state.isDamaged;
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const mine = this.#turn.then(() => attempt(this.#path, 'write', work));
    this.#turn = mine.catch(() => {}); // The caller that saved gets the error.
    return mine;
  }
}

async function attempt<T>(path: string, doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PmlError) throw error;
    const message = `Capabilities could not be ${doing === 'read' ? 'read from' : 'written to'} ${path}: ${messageOf(error)}`;
    throw new PmlError('STORE_FAILED', message, { cause: error, details: { path } });
  }
}
