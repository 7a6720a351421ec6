import type { Worker } from 'node:worker_threads';

import { type Logger, messageOf, PmlError } from '../../core/index.js';
import { Mutex } from '../mutex.js';
import type { StoreMemory } from '../store.js';
import type { PgliteFailure, PgliteReply, PgliteRequest, PgliteResult } from './pglite-protocol.js';
import { startPgliteWorker } from './start-pglite-worker.js';

const WRITING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

interface Pending {
  readonly resolve: (result: PgliteResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * An open PGlite in its thread. It is one connection, so transactions take turns by `turn`.
 *
 * A thread that died, and a database that gave up within it, are replaced by the next one whose turn it
 * is: what was acknowledged is in the log and is recovered from there. Never in the middle of a
 * turn, where the second half of a transaction would be on its own.
 */
export class PgliteConnection implements AsyncDisposable {
  readonly turn = new Mutex();
  readonly #directory: string;
  readonly #logger: Logger;
  #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #writes = 0;
  #ended: Error | undefined;
  #isClosed = false;

  private constructor(directory: string, logger: Logger) {
    this.#directory = directory;
    this.#logger = logger;
    this.#worker = this.#start();
  }

  /** Opens a data directory, or creates it when it does not exist. */
  static async open(directory: string, logger: Logger): Promise<PgliteConnection> {
    const connection = new PgliteConnection(directory, logger);
    try {
      await connection.#ask({ kind: 'open', directory });
      return connection;
    } catch (error) {
      connection.#isClosed = true;
      await connection.#worker.terminate();
      throw error;
    }
  }

  /** Replaces a database that stopped. For the one whose turn it is, before anything else. */
  async ensureOpen(): Promise<void> {
    if (this.#ended === undefined || this.#isClosed) return;
    await this.#worker.terminate();
    this.#ended = undefined;
    this.#worker = this.#start();
    try {
      await this.#ask({ kind: 'open', directory: this.#directory });
      this.#logger.warn('the embedded database stopped and was opened again');
    } catch (error) {
      this.#end(stopped(error));
      throw this.#ended ?? error;
    }
  }

  /** Number of statements so far that changed rows. */
  get writes(): number {
    return this.#writes;
  }

  async query(sql: string, params: readonly unknown[] = []): Promise<PgliteResult> {
    const result = await this.#ask({ kind: 'query', sql, params });
    if (result.command !== undefined && WRITING.has(result.command)) this.#writes += 1;
    return result;
  }

  /** Runs statements that take no parameters, such as `CHECKPOINT`. */
  async exec(sql: string): Promise<void> {
    await this.#ask({ kind: 'exec', sql });
  }

  async memory(): Promise<StoreMemory> {
    const { rows } = await this.#ask({ kind: 'memory' });
    return rows[0] as StoreMemory;
  }

  /** Gives back what the thread of the database does not need. */
  async collectGarbage(): Promise<void> {
    await this.#ask({ kind: 'collect' });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    await this.turn.run(async () => {
      if (this.#isClosed) return;
      this.#isClosed = true;
      if (this.#ended !== undefined) return void (await this.#worker.terminate());
      try {
        await this.#ask({ kind: 'close' });
      } finally {
        this.#end(new PmlError('STORE_FAILED', 'The store is closed'));
        await this.#worker.terminate();
      }
    });
  }

  #start(): Worker {
    const worker = startPgliteWorker(this.#logger);
    const end = (reason: PmlError) => {
      if (this.#worker !== worker || this.#isClosed || this.#ended !== undefined) return;
      this.#logger.error('the thread of the embedded database ended', { error: reason.message });
      this.#end(reason);
    };
    worker.on('message', (reply: PgliteReply) => {
      if (this.#worker === worker) this.#settle(reply);
    });
    worker.on('error', (error) => end(stopped(error)));
    worker.on('exit', () => end(stopped()));
    return worker;
  }

  #ask(request: PgliteRequest): Promise<PgliteResult> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, request });
    });
  }

  #settle(reply: PgliteReply): void {
    const pending = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('result' in reply) return pending?.resolve(reply.result);
    const error = toError(reply.failure);
    pending?.reject(error);
    if (reply.failure.isFatal) this.#end(stopped(error));
  }

  #end(reason: Error): void {
    this.#ended ??= reason;
    for (const { reject } of this.#pending.values()) reject(this.#ended);
    this.#pending.clear();
  }
}

function toError({ message, ...fields }: PgliteFailure): Error {
  return Object.assign(new Error(message), fields);
}

function stopped(cause?: unknown): PmlError {
  return new PmlError(
    'STORE_FAILED',
    `The embedded database stopped unexpectedly${cause === undefined ? '' : ` (${messageOf(cause)})`}. It is opened again for the next request; if it happens again, run \`pml doctor\`.`,
    { cause },
  );
}
