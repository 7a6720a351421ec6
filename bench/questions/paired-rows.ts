import type { Row } from '../report.js';

/** The same questions answered in two ways, each from 0 to 1. */
export interface Pair {
  readonly group: string;
  readonly whole: number;
  readonly without: number;
}

/** What is lost without something: the mean, and the ends of its 95 % interval with groups as observations. */
export function lossRows(name: string, pairs: readonly Pair[]): readonly Row[] {
  const { mean, error } = meanWithError(
    pairs.map(({ group, whole, without }) => ({ group, value: whole - without })),
  );
  const row = (what: string, value: number): Row => {
    return { name: `${name}: ${what}`, value: 100 * value, unit: 'points', n: pairs.length };
  };
  return [
    row('worth', mean),
    row('worth, from', mean - 1.96 * error),
    row('worth, to', mean + 1.96 * error),
  ];
}

function meanWithError(values: readonly { readonly group: string; readonly value: number }[]): {
  readonly mean: number;
  readonly error: number;
} {
  const mean = values.reduce((sum, { value }) => sum + value, 0) / Math.max(1, values.length);
  const byGroup = new Map<string, number>();
  for (const { group, value } of values) {
    byGroup.set(group, (byGroup.get(group) ?? 0) + value - mean);
  }
  const squares = [...byGroup.values()].reduce((sum, one) => sum + one ** 2, 0);
  const count = byGroup.size;
  const error = Math.sqrt((squares * count) / Math.max(1, count - 1)) / Math.max(1, values.length);
  return { mean, error };
}
