import type { IndexedTool } from './postings.js';
import type { ScoredTool } from './score-tools.js';

/**
 * The best `limit` of those that fit, in order, without sorting the rest. Equal scores come by id.
 * Only tools that would be among the best are asked whether they fit.
 */
export function selectBest(
  scored: readonly ScoredTool[],
  limit: number,
  fits: (indexed: IndexedTool) => boolean = () => true,
): readonly ScoredTool[] {
  const best: ScoredTool[] = [];
  for (const tool of scored) {
    const last = best.at(-1);
    if (best.length >= limit && (!last || compare(tool, last) >= 0)) continue;
    if (!fits(tool.indexed)) continue;
    const place = best.findIndex((other) => compare(tool, other) < 0);
    best.splice(place < 0 ? best.length : place, 0, tool);
    if (best.length > limit) best.pop();
  }
  return best;
}

function compare(one: ScoredTool, other: ScoredTool): number {
  if (one.score !== other.score) return other.score - one.score;
  return one.indexed.tool.id < other.indexed.tool.id ? -1 : 1;
}
