import { type Logger, messageOf } from '../../core/index.js';
import { withPatience } from '../with-patience.js';
import type { VectorSource } from './vector-source.js';

/** How near two texts are in meaning, from 0 to 1, where that is known. */
export type TextLikeness = (a: string, b: string) => number | undefined;

/** The most texts of parameters that PML compares for a plan. */
const MOST_TEXTS = 64;

/** The comparison, or the reason why it is not ready yet. Empty if PML cannot make it. */
export interface ComparedTexts {
  readonly likeness?: TextLikeness;
  /** Why the comparison is not ready. A later call may succeed. */
  readonly isLate?: string;
}

/** Empty if no model is configured or the model failed: waiting would not help. */
export async function compareTexts(
  source: VectorSource,
  texts: readonly string[],
  { log, patienceMs }: { readonly log: Logger; readonly patienceMs: number },
): Promise<ComparedTexts> {
  if (texts.length === 0) return {};
  const compared = texts.slice(0, MOST_TEXTS);
  try {
    const vectors = await withPatience(source.question(compared), patienceMs);
    if (!vectors) return { isLate: 'the model is busy; ask again in a moment' };
    return { likeness: likenessOf(new Map(compared.map((text, at) => [text, vectors[at]!]))) };
  } catch (error) {
    log.debug('texts not compared', { error: messageOf(error) });
    return {};
  }
}

function likenessOf(vectors: ReadonlyMap<string, Float32Array>): TextLikeness {
  return (a, b) => {
    const [one, other] = [vectors.get(a), vectors.get(b)];
    return one && other && dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other) || 1);
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}
