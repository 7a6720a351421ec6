import type { Worker } from 'node:worker_threads';

import { type Logger, PmlError } from '../core/index.js';
import { Mutex } from './mutex.js';
import type {
  PgliteFailure,
  PgliteReply,
  PgliteRequest,
  PgliteResult,
  StoreMemory,
} from './pglite-protocol.js';
import { startPgliteWorker } from './start-pglite-worker.js';

const WRITING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

interface Pending {
  readonly resolve: (result: PgliteResult) => void;
  readonly reject: (error: Error) => void;
}

/** An open PGlite in its thread. It is one connection, so transactions take turns by `turn`. */
export class PgliteConnection implements AsyncDisposable {
  readonly turn = new Mutex();
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #writes = 0;
  #ended: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: PgliteReply) => this.#settle(reply));
    worker.on('error', (error) => this.#end(stopped(error)));
    worker.on('exit', () => this.#end(stopped()));
  }

  /** Opens a data directory, or creates it when it does not exist. */
  static async open(directory: string, logger: Logger): Promise<PgliteConnection> {
    const connection = new PgliteConnection(startPgliteWorker(logger));
    try {
      await connection.#ask({ kind: 'open', directory });
      return connection;
    } catch (error) {
      await connection.#worker.terminate();
      throw error;
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
    if (this.#ended !== undefined) return;
    await this.turn.run(async () => {
      if (this.#ended !== undefined) return;
      try {
        await this.#ask({ kind: 'close' });
      } finally {
        this.#end(new PmlError('STORE_FAILED', 'The store is closed'));
        await this.#worker.terminate();
      }
    });
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
    if ('result' in reply) pending?.resolve(reply.result);
    else pending?.reject(toError(reply.failure));
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
    'The embedded database stopped unexpectedly. Restart pml; if it happens again, run `pml doctor`.',
    { cause },
  );
}
