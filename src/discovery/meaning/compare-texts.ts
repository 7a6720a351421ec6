import { type Logger, messageOf } from '../../core/index.js';
import { withPatience } from '../with-patience.js';
import type { VectorSource } from './vector-source.js';

/** How near two texts are in meaning, from 0 to 1, where that is known. */
export type TextLikeness = (a: string, b: string) => number | undefined;

/** Texts of parameters that are compared for one plan, and how long that may take. */
const MOST_TEXTS = 64;
const PATIENCE_MS = 500;

export async function compareTexts(
  source: VectorSource,
  texts: readonly string[],
  log: Logger,
): Promise<TextLikeness | undefined> {
  if (!source.isReady || texts.length === 0) return undefined;
  const compared = texts.slice(0, MOST_TEXTS);
  try {
    const vectors = await withPatience(source.question(compared), PATIENCE_MS);
    return vectors && likenessOf(new Map(compared.map((text, at) => [text, vectors[at]!])));
  } catch (error) {
    log.debug('texts not compared', { error: messageOf(error) });
    return undefined;
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
