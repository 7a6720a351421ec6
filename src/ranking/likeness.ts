import type { VectorIndex } from '../search/index.js';
import { type Spread, spreadOf } from './spread.js';

/**
 * How much each entry stands out by its meaning. Cosines mean different things in different models
 * and for different questions; deviations above the mean of all entries do not.
 */
export interface Likeness<Key extends string> {
  of(key: Key): number;
  /** Of all entries, most of which have nothing to do with the question. */
  readonly spread: Spread;
  /** The best of those that fit, best first. */
  readonly top: readonly Key[];
}

export interface LikenessOptions<Key extends string> {
  /** How many make the top. */
  readonly limit: number;
  /** Texts of all kinds, so that few entries are not compared with each other alone. */
  readonly reference?: VectorIndex<string> | undefined;
  readonly fits: (key: Key) => boolean;
}

export function likenessTo<Key extends string>(
  index: VectorIndex<Key>,
  vector: Float32Array,
  { limit, fits, reference }: LikenessOptions<Key>,
): Likeness<Key> {
  const { scores, rowOf, keyOf, best } = index.similarities(vector);
  const others = reference?.similarities(vector).scores ?? [];
  const spread = spreadOf([...scores, ...others]);
  const { mean, deviation } = spread;
  const top = best(limit, (row) => fits(keyOf(row)!)).map((row) => keyOf(row)!);
  // The next question overwrites the scores.
  const kept = scores.slice();
  return {
    top,
    spread,
    of(key) {
      const row = rowOf(key);
      return row === undefined ? 0 : (kept[row]! - mean) / deviation;
    },
  };
}
