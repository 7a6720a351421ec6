import {
  type Embedder,
  type EmbeddingSpace,
  type EmbedOptions,
  type Logger,
  PmlError,
} from '../core/index.js';
import type { ModelSource } from './model-protocol.js';
import { cancelled, type LoadedModel, RunningModel } from './running-model.js';
import { startModelProcess } from './start-model-process.js';

/** A model that failed as often in a row is left alone. */
const MAX_FAILURES = 3;
/** A timer for longer than this fires at once. */
const MOST_TIMEOUT_MS = 2 ** 31 - 1;

export type EmbedderStatus =
  /** `loadMs`: how long it took the last time, if it was loaded before. */
  | { readonly state: 'idle'; readonly loadMs?: number }
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly runtime: string; readonly loadMs: number }
  | { readonly state: 'failed'; readonly error: string };

/** An embedder whose model is loaded with the first text, in a process of its own. */
export interface LocalEmbedder extends Embedder, AsyncDisposable {
  readonly status: EmbedderStatus;
  /** Loads the model now. Rejects if that fails. */
  warmUp(): Promise<void>;
}

interface ProcessEmbedderOptions {
  readonly space: EmbeddingSpace;
  readonly source: ModelSource;
  readonly logger: Logger;
  /** Without a request for so long the process ends, until the next request. Default: never. */
  readonly idleMs?: number;
  readonly startProcess?: typeof startModelProcess;
}

export class ProcessEmbedder implements LocalEmbedder {
  readonly space: EmbeddingSpace;
  readonly #source: ModelSource;
  readonly #logger: Logger;
  readonly #startProcess: typeof startModelProcess;
  #status: EmbedderStatus = { state: 'idle' };
  #model: RunningModel | undefined;
  readonly #idleMs: number;
  #rest: NodeJS.Timeout | undefined;
  #failures = 0;
  #isDisposed = false;

  constructor({
    space,
    source,
    logger,
    idleMs = 0,
    startProcess = startModelProcess,
  }: ProcessEmbedderOptions) {
    this.#idleMs = idleMs;
    this.space = space;
    this.#source = source;
    this.#logger = logger;
    this.#startProcess = startProcess;
  }

  get status(): EmbedderStatus {
    return this.#status;
  }

  async warmUp(): Promise<void> {
    const model = this.#running();
    await model.waitFor(model.loaded);
    this.#restLater();
  }

  async embed(
    texts: readonly string[],
    { priority = 'background', signal }: EmbedOptions = {},
  ): Promise<readonly Float32Array[]> {
    if (signal?.aborted) throw cancelled(signal);
    if (texts.length === 0) return [];
    const distinct = [...new Set(texts)];
    const vectors = await this.#running()
      .embed(distinct, priority, signal)
      .finally(() => this.#restLater());
    // A first answer may come together with the news that the model is not the promised one.
    const wrong = vectors.find(({ length }) => length !== this.space.dimension);
    if (wrong) throw wrongDimension(this.space, wrong.length);
    this.#failures = 0;
    const byText = new Map(distinct.map((text, at) => [text, vectors[at]]));
    return texts.map((text) => byText.get(text) ?? new Float32Array(this.space.dimension));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    clearTimeout(this.#rest);
    await this.#model?.end(closed());
    this.#status = { state: 'idle' };
  }

  #running(): RunningModel {
    if (this.#isDisposed) throw closed();
    if (this.#model !== undefined) {
      if (this.#model.ended === undefined) return this.#model;
      if (this.#failures >= MAX_FAILURES) throw givenUp(this.#model.ended);
    }
    this.#status = { state: 'loading' };
    const startedAt = performance.now();
    const child = this.#startProcess(this.#logger);
    const model: RunningModel = new RunningModel(child, this.#source, (reason) => {
      if (this.#model === model) this.#noteEnd(reason);
    });
    this.#model = model;
    model.loaded.then(
      (loaded) => this.#noteLoaded(model, loaded, Math.round(performance.now() - startedAt)),
      () => {}, // Noted as its end.
    );
    return model;
  }

  /** Ends the process after a while without requests; the next request starts it again. */
  #restLater(): void {
    clearTimeout(this.#rest);
    if (this.#idleMs === 0 || this.#isDisposed) return;
    this.#rest = setTimeout(() => this.#endIdle(), Math.min(this.#idleMs, MOST_TIMEOUT_MS)).unref();
  }

  #endIdle(): void {
    const model = this.#model;
    if (!model || model.isBusy || this.#status.state !== 'ready') return;
    const { loadMs } = this.#status;
    this.#model = undefined;
    this.#status = { state: 'idle', loadMs };
    this.#logger.info('embedding model unloaded', { space: this.space.id, idleMs: this.#idleMs });
    void model.end(new PmlError('EMBEDDING_FAILED', 'The model rests')).catch(() => {});
  }

  #noteLoaded(model: RunningModel, loaded: LoadedModel, loadMs: number): void {
    const { runtime, fallbackReason, dimension } = loaded;
    if (model.ended !== undefined) return;
    if (dimension !== this.space.dimension) {
      void model.end(wrongDimension(this.space, dimension)).catch(() => {});
      return;
    }
    this.#status = { state: 'ready', runtime, loadMs };
    this.#logger.info('embedding model loaded', {
      space: this.space.id,
      runtime,
      loadMs,
      ...(fallbackReason === undefined ? {} : { fallbackReason }),
    });
  }

  #noteEnd({ message: error }: PmlError): void {
    if (this.#isDisposed) return;
    this.#failures += 1;
    this.#status = { state: 'failed', error };
    this.#logger.warn('embedding model failed', { space: this.space.id, error });
  }
}

function givenUp(cause: PmlError): PmlError {
  return new PmlError(
    'EMBEDDING_FAILED',
    `${cause.message} (${MAX_FAILURES} times in a row; tried again when pml is restarted)`,
    { cause },
  );
}

function closed(): PmlError {
  return new PmlError('EMBEDDING_FAILED', 'The embedder is closed');
}

function wrongDimension({ id, dimension }: EmbeddingSpace, actual: number): PmlError {
  return new PmlError(
    'EMBEDDING_FAILED',
    `${id} gives vectors of ${actual} numbers where its config.json promises ${dimension}`,
  );
}
