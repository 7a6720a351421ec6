import type { EmbedOptions, EmbeddingSpace } from '../../src/core/index.js';
import type { EmbedderState, LoadableEmbedder } from '../../src/discovery/index.js';

export interface ToyOptions {
  readonly dimension?: number;
  readonly id?: string;
  readonly isReady?: boolean;
}

/** Texts that share words are alike. Nothing of the world is known to it, and nothing is random. */
export function toyVector(text: string, dimension = 64): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    vector[hashOf(word) % (dimension - 1)]! += 1;
  }
  // Every text has a direction, even one without words.
  vector[dimension - 1] = 0.5;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** An embedder in this process that counts its work and can be told to wait or to fail. */
export class ToyEmbedder implements LoadableEmbedder {
  readonly space: EmbeddingSpace;
  /** The texts of each request, in order. */
  readonly requests: { readonly texts: readonly string[]; readonly isQuery: boolean }[] = [];
  status: EmbedderState;
  warmUps = 0;
  isDisposed = false;
  /** What requests wait for, if anything. */
  gate: Promise<void> | undefined;
  failure: Error | undefined;

  constructor({ dimension = 64, id = `toy/${dimension}`, isReady = true }: ToyOptions = {}) {
    this.space = { id, dimension };
    this.status = { state: isReady ? 'ready' : 'idle' };
  }

  get texts(): readonly string[] {
    return this.requests.flatMap(({ texts }) => texts);
  }

  async warmUp(): Promise<void> {
    this.warmUps++;
    if (this.failure) throw this.failure;
  }

  async embed(texts: readonly string[], options: EmbedOptions = {}): Promise<Float32Array[]> {
    this.requests.push({ texts, isQuery: options.priority === 'query' });
    if (this.gate) await Promise.race([this.gate, ...abortion(options.signal)]);
    if (this.failure) throw this.failure;
    return texts.map((text) => toyVector(text, this.space.dimension));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isDisposed = true;
  }
}

/** Rejects when the signal says so. */
function abortion(signal: AbortSignal | undefined): readonly Promise<never>[] {
  if (!signal) return [];
  const stopped = new Promise<never>((_, reject) => {
    const stop = () => reject(new Error('stopped'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  return [stopped];
}

function hashOf(word: string): number {
  let hash = 2_166_136_261;
  for (const character of word) hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619);
  return hash >>> 0;
}
