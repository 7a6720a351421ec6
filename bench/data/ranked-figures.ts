import type { ToolId } from '../../src/core/index.js';

export const METRICS = ['hit1', 'hit3', 'mrr', 'recall10'] as const;
export type Metric = (typeof METRICS)[number];
type Figures = Readonly<Record<Metric, number>>;

/** As the neutral kit counts: a gold group is found by any of its tools. */
export function figuresOf(
  ranked: readonly ToolId[],
  gold: readonly (readonly ToolId[])[],
): Record<Metric, number> {
  const all = new Set(gold.flat());
  const place = ranked.findIndex((id) => all.has(id)) + 1;
  const shown = new Set(ranked.slice(0, 10));
  const found = gold.filter((group) => group.some((id) => shown.has(id))).length;
  return {
    hit1: place === 1 ? 1 : 0,
    hit3: place > 0 && place <= 3 ? 1 : 0,
    mrr: place > 0 ? 1 / place : 0,
    recall10: found / Math.max(1, gold.length),
  };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** What one way brings over another on the same requests, with requests of one group as one witness. */
export function differenceOf(
  one: ReadonlyMap<string, Figures>,
  other: ReadonlyMap<string, Figures>,
  metric: Metric,
  groupOf: (id: string) => string,
): { readonly gain: number; readonly error: number } {
  const gains = Array.from(one, ([id, figures]) => ({
    group: groupOf(id),
    gain: figures[metric] - other.get(id)![metric],
  }));
  const gain = meanOf(gains.map((each) => each.gain));
  const byGroup = new Map<string, number>();
  for (const each of gains) {
    byGroup.set(each.group, (byGroup.get(each.group) ?? 0) + each.gain - gain);
  }
  const squares = [...byGroup.values()].reduce((sum, own) => sum + own ** 2, 0);
  const count = byGroup.size;
  const error = Math.sqrt((squares * count) / Math.max(1, count - 1)) / Math.max(1, gains.length);
  return { gain, error };
}
