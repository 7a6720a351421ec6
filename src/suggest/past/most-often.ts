import type { ToolId } from '../../core/index.js';

/** The so many that were counted most often, most often first. */
export function mostOften(
  counts: Iterable<readonly [ToolId, number]>,
  most: number,
): readonly ToolId[] {
  return [...counts]
    .toSorted(([a, often], [b, other]) => other - often || (a < b ? -1 : Number(a > b)))
    .slice(0, most)
    .map(([tool]) => tool);
}
