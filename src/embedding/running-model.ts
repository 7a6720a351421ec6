import type { ChildProcess } from 'node:child_process';

import { PmlError } from '../core/index.js';
import type { FromModel, ModelSource, Priority, ToModel } from './model-protocol.js';

interface Pending {
  readonly resolve: (vectors: readonly Float32Array[]) => void;
  readonly reject: (error: Error) => void;
}

export interface LoadedModel {
  readonly runtime: string;
  readonly fallbackReason?: string;
  readonly dimension: number;
}

/**
 * One life of the process of a model: it loads, answers, and ends once. It keeps this process alive
 * only while a request is pending.
 */
export class RunningModel {
  /** Rejects if the model cannot be loaded. */
  readonly loaded: Promise<LoadedModel>;
  readonly #child: ChildProcess;
  readonly #onEnded: (reason: PmlError) => void;
  readonly #exited: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  #settleLoaded!: { resolve: (model: LoadedModel) => void; reject: (error: Error) => void };
  #lastId = 0;
  #waiting = 0;
  #ended: PmlError | undefined;

  /** Calls `onEnded` once with the reason, before pending requests reject. */
  constructor(
    child: ChildProcess,
    source: ModelSource,
    onEnded: (reason: PmlError) => void = () => {},
  ) {
    this.#child = child;
    this.#onEnded = onEnded;
    this.loaded = new Promise((resolve, reject) => (this.#settleLoaded = { resolve, reject }));
    this.loaded.catch(() => {}); // `onEnded` gets the error too.
    this.#exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#fail(stopped(`it ended with ${signal ?? `code ${code}`}`));
        resolve();
      });
      child.on('error', (error) => {
        this.#fail(stopped(error.message));
        if (child.pid === undefined) resolve();
      });
    });
    child.on('message', (message) => this.#receive(message as FromModel));
    this.#send({ kind: 'load', source });
  }

  get ended(): PmlError | undefined {
    return this.#ended;
  }

  /** Whether a request is pending. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  embed(
    texts: readonly string[],
    priority: Priority,
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<readonly Float32Array[]>((resolve, reject) => {
      const onAbort = () => {
        this.#pending.delete(id);
        this.#send({ kind: 'cancel', id });
        reject(cancelled(signal));
      };
      const settled = () => signal?.removeEventListener('abort', onAbort);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, {
        resolve: (vectors) => (settled(), resolve(vectors)),
        reject: (error) => (settled(), reject(error)),
      });
      this.#send({ kind: 'embed', id, texts, priority });
    });
    return this.waitFor(answer);
  }

  /** Keeps this process alive until a promise of this model is settled. */
  async waitFor<T>(promise: Promise<T>): Promise<T> {
    this.#waiting += 1;
    this.#child.ref();
    this.#child.channel?.ref();
    try {
      return await promise;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) {
        this.#child.unref();
        this.#child.channel?.unref();
      }
    }
  }

  /** Kills the process. It holds no state that could be lost. */
  async end(reason: PmlError): Promise<void> {
    this.#fail(reason);
    this.#child.kill('SIGKILL');
    await this.waitFor(this.#exited);
  }

  #receive(message: FromModel): void {
    switch (message.kind) {
      case 'loaded':
        return this.#settleLoaded.resolve(message);
      case 'load-failed':
        this.#fail(new PmlError('EMBEDDING_FAILED', `No embeddings: ${message.message}`));
        this.#child.kill('SIGKILL');
        return;
      case 'embedded':
        this.#take(message.id)?.resolve(message.vectors);
        return;
      case 'embed-failed':
        this.#take(message.id)?.reject(
          new PmlError('EMBEDDING_FAILED', `A text could not be embedded: ${message.message}`),
        );
        return;
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #fail(reason: PmlError): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    this.#onEnded(reason);
    this.#settleLoaded.reject(reason);
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  /** A process that is gone gets no message; `exit` reports its end. */
  #send(message: ToModel): void {
    if (this.#child.connected) this.#child.send(message, () => {});
  }
}

export function cancelled(signal: AbortSignal | undefined): PmlError {
  return new PmlError('CALL_CANCELLED', 'embedding was cancelled', { cause: signal?.reason });
}

function stopped(how: string): PmlError {
  return new PmlError('EMBEDDING_FAILED', `The process of the embedding model stopped: ${how}`);
}
