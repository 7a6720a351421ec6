import {
  type Embedder,
  type EmbeddingSpace,
  type EmbeddingStore,
  type EmbedOptions,
  type Logger,
  messageOf,
  PmlError,
} from '../../core/index.js';
import { contentHash } from '../../tool-text/index.js';

/** An embedder that says whether it can answer at once. */
export interface LoadableEmbedder extends Embedder, AsyncDisposable {
  readonly status: EmbedderState;
  /** Loads the model now. Rejects if that fails. */
  warmUp(): Promise<void>;
}

export interface EmbedderState {
  readonly state: 'idle' | 'loading' | 'ready' | 'failed';
  readonly runtime?: string;
  readonly loadMs?: number;
  readonly error?: string;
}

export interface VectorSourceOptions {
  readonly embedder: LoadableEmbedder;
  /** Vectors that were made before; undefined when there is no store. */
  readonly store: EmbeddingStore | undefined;
  readonly log: Logger;
}

export interface FillOptions {
  readonly signal: AbortSignal;
  /** Called with every finished part, the stored ones first. */
  readonly onVectors: (vectors: ReadonlyMap<string, Float32Array>) => void;
}

/** Small enough that a stop loses little, large enough to query the store rarely. */
const CHUNK = 64;
const LOAD_CHUNK = 2_000;
const RECENT_QUESTIONS = 500;

/** Vectors of texts in one space: from memory, from the store, or made now. */
export class VectorSource {
  readonly #embedder: LoadableEmbedder;
  readonly #store: EmbeddingStore | undefined;
  readonly #log: Logger;
  readonly #recent = new Map<string, Float32Array>();
  #made = { texts: 0, ms: 0 };

  constructor({ embedder, store, log }: VectorSourceOptions) {
    this.#embedder = embedder;
    this.#store = store;
    this.#log = log;
  }

  get space(): EmbeddingSpace {
    return this.#embedder.space;
  }

  get state(): EmbedderState {
    return this.#embedder.status;
  }

  /** How many texts it embedded in the background, and how long that took with the model loaded. */
  get made(): { readonly texts: number; readonly ms: number } {
    return this.#made;
  }

  get isReady(): boolean {
    return this.#embedder.status.state === 'ready';
  }

  warmUp(): Promise<void> {
    return this.#embedder.warmUp();
  }

  /** For a question whose client is waiting. Not stored: most are never repeated. */
  async question(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const missing = [...new Set(texts)].filter((text) => !this.#recent.has(text));
    const made = await this.#embed(missing, { priority: 'query' });
    const fresh = new Map(missing.map((text, at) => [text, made[at]!]));
    const vectors = texts.map((text) => fresh.get(text) ?? this.#recent.get(text)!);
    texts.forEach((text, at) => this.#recent.set(text, vectors[at]!));
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= RECENT_QUESTIONS) break;
      this.#recent.delete(oldest);
    }
    return vectors;
  }

  /** For everything that can wait. Each part is stored before the next one starts. */
  async fill(texts: readonly string[], { signal, onVectors }: FillOptions): Promise<void> {
    const hashes = new Map([...new Set(texts)].map((text) => [contentHash(text), text]));
    await this.#load(hashes, onVectors);
    const missing = [...hashes];
    for (let start = 0; start < missing.length; start += CHUNK) {
      if (signal.aborted) return;
      const part = missing.slice(start, start + CHUNK);
      const began = performance.now();
      const wasReady = this.isReady;
      const made = await this.#embed(
        part.map(([, text]) => text),
        { signal },
      );
      const loadMs = wasReady ? 0 : (this.state.loadMs ?? 0);
      const ms = this.#made.ms + Math.max(0, performance.now() - began - loadMs);
      this.#made = { texts: this.#made.texts + part.length, ms };
      await this.#save(new Map(part.map(([hash], at) => [hash, made[at]!])));
      onVectors(new Map(part.map(([, text], at) => [text, made[at]!])));
    }
  }

  /** Removes texts that are no longer needed. A later request embeds them again. */
  async forget(texts: readonly string[]): Promise<void> {
    try {
      await this.#store?.remove(this.space, texts.map(contentHash));
    } catch (error) {
      this.#log.warn('vectors of forgotten requests not removed', { error: messageOf(error) });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#embedder[Symbol.asyncDispose]();
  }

  /** Rejects vectors of a wrong dimension, whatever space the embedder claims. */
  async #embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]> {
    if (texts.length === 0) return [];
    const { id, dimension } = this.space;
    const made = await this.#embedder.embed(texts, options);
    if (made.length === texts.length && made.every(({ length }) => length === dimension)) {
      return made;
    }
    throw new PmlError('EMBEDDING_FAILED', `${id} did not give one vector a text, of ${dimension}`);
  }

  /** Passes stored vectors on and removes them from the list. */
  async #load(hashes: Map<string, string>, onVectors: FillOptions['onVectors']): Promise<void> {
    if (!this.#store) return;
    const all = [...hashes.keys()];
    for (let start = 0; start < all.length; start += LOAD_CHUNK) {
      const stored = await this.#read(this.#store, all.slice(start, start + LOAD_CHUNK));
      onVectors(new Map(Array.from(stored, ([hash, vector]) => [hashes.get(hash)!, vector])));
      for (const hash of stored.keys()) hashes.delete(hash);
    }
  }

  async #read(
    store: EmbeddingStore,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, Float32Array>> {
    try {
      return await store.load(this.space, hashes);
    } catch (error) {
      this.#log.warn('stored vectors not read; they are made again', { error: messageOf(error) });
      return new Map();
    }
  }

  async #save(vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
    try {
      await this.#store?.save(this.space, vectors);
    } catch (error) {
      this.#log.warn('vectors not stored; they are made again after a restart', {
        error: messageOf(error),
      });
    }
  }
}
