export interface RowChoice {
  readonly limit: number;
  readonly accepts: (row: number) => boolean;
  /** The order of two rows with equal scores. */
  readonly compare: (one: number, other: number) => number;
}

/** The rows with the highest scores, best first, without sorting the rest. */
export function selectRows(
  scores: Float32Array,
  { limit, accepts, compare }: RowChoice,
): readonly number[] {
  if (!(limit >= 1)) return [];
  const order = (one: number, other: number) =>
    scores[other]! - scores[one]! || compare(one, other);
  let kept: number[] = [];
  let least = -Infinity;
  for (let row = 0; row < scores.length; row++) {
    if (scores[row]! < least || !accepts(row)) continue;
    kept.push(row);
    if (kept.length < 2 * limit) continue;
    kept = kept.toSorted(order).slice(0, limit);
    least = scores[kept.at(-1)!]!;
  }
  return kept.toSorted(order).slice(0, limit);
}
