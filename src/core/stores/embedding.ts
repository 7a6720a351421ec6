/** Where vectors live: one model in one form. Vectors of different spaces are never compared. */
export interface EmbeddingSpace {
  /** Names model, revision and form, e.g. `gte-small/int8/1`. */
  readonly id: string;
  readonly dimension: number;
}

export interface EmbedOptions {
  /** A question of a client goes before everything that can wait. Default: `background`. */
  readonly priority?: 'query' | 'background';
  readonly signal?: AbortSignal;
}

/** Turns texts into vectors of length 1. Rejects with a `PmlError`. */
export interface Embedder {
  readonly space: EmbeddingSpace;
  /** As many vectors as texts, in their order. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>;
}

export interface StoredSpace extends EmbeddingSpace {
  readonly vectors: number;
}

/** The durable copy of vectors, by the hash of their text. Rejects with a `PmlError`. */
export interface EmbeddingStore {
  spaces(): Promise<readonly StoredSpace[]>;
  /** The stored vectors among these hashes. */
  load(
    space: EmbeddingSpace,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, Float32Array>>;
  /** A vector of another dimension than its space is refused and nothing is written. */
  save(space: EmbeddingSpace, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  /** Removes vectors that are no longer needed; unknown hashes are ignored. */
  remove(space: EmbeddingSpace, hashes: readonly string[]): Promise<void>;
  removeSpace(id: string): Promise<void>;
}
