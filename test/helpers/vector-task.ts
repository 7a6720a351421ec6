import type { VectorRequest, VectorTask } from '../../src/attention/index.js';
import { toyVector } from './toy-embedder.js';

/** What the words of requests and of tools have nothing in common: only experience joins them. */
export const SLANG = ['zap', 'yeet', 'grok', 'nuke', 'ping', 'sniff', 'bump', 'slurp'];

export const TOOL_TEXTS = SLANG.map((_, at) => `operation number${at} of service${at}`);

interface SlangOptions {
  readonly count?: number;
  /** Which tool served the request at this place. Default: the one its slang word is for. */
  readonly rightOf?: (place: number) => number;
  readonly folds?: number;
}

/** Requests in slang for one of eight tools; every one has words of its own, too. */
export function slangTask({
  count = 240,
  rightOf = (place) => place % SLANG.length,
  folds = 3,
}: SlangOptions = {}): VectorTask & { readonly requests: readonly VectorRequest[] } {
  const tools = new Float32Array(TOOL_TEXTS.length * 64);
  TOOL_TEXTS.forEach((text, row) => tools.set(toyVector(text), row * 64));
  const requests = Array.from({ length: count }, (_, place) => ({
    vectors: [toyVector(`${SLANG[place % SLANG.length]} thing${place} please${place % 7}`)],
    right: [rightOf(place)],
    fold: Math.floor(place / SLANG.length) % folds,
    isHeldOut: true,
  }));
  return { dimension: 64, tools, requests, folds, seed: 1 };
}

/** The share of requests for which the right tool comes first. */
export function firstOf(
  { requests }: { readonly requests: readonly VectorRequest[] },
  scores: readonly Int16Array[],
): number {
  const hits = requests.filter(({ right }, at) => {
    const own = scores[at]!;
    return own.every((score, row) => row === right[0] || score < own[right[0]!]!);
  });
  return hits.length / requests.length;
}
