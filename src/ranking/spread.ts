export interface Spread {
  readonly mean: number;
  /** Never 0: where all values are alike, every distance is 0 of anything. */
  readonly deviation: number;
}

export function spreadOf(values: ArrayLike<number>): Spread {
  const count = Math.max(1, values.length);
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at]!;
  const mean = sum / count;
  let squares = 0;
  for (let at = 0; at < values.length; at++) squares += (values[at]! - mean) ** 2;
  return { mean, deviation: Math.sqrt(squares / count) || 1 };
}
