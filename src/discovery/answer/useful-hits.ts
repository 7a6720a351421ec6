import type { CatalogTool } from '../../core/index.js';
import type { ToolMatch } from '../../tool-text/index.js';

/** Below this probability, a tool is not even near the request. */
const LEAST_LIKELY = 0.05;
/** With less than this share of the best score, a hit only costs tokens. */
const LEAST_SHARE = 0.25;

/**
 * The hits worth showing, best first: those near the best, and of several needs the best hit of each.
 * Scores of words are no probabilities, so there is no least one.
 */
export function usefulHits(
  hits: readonly ToolMatch[],
  { limit, isByWords }: { readonly limit: number; readonly isByWords: boolean },
): readonly ToolMatch[] {
  const least = isByWords ? 0 : LEAST_LIKELY;
  const top = hits[0]?.score ?? 0;
  const firsts = firstOfNeeds(hits.filter(({ score }) => score >= least)).slice(0, limit);
  const isFirst = new Set(firsts);
  const near = hits.filter(({ score }) => score >= Math.max(least, top * LEAST_SHARE));
  const others = near.filter((hit) => !isFirst.has(hit)).slice(0, limit - firsts.length);
  const isOther = new Set(others);
  return hits.filter((hit) => isFirst.has(hit) || isOther.has(hit));
}

function firstOfNeeds(hits: readonly ToolMatch[]): readonly ToolMatch[] {
  const served = new Map<string, ToolMatch>();
  for (const hit of hits) if (!served.has(hit.need ?? '')) served.set(hit.need ?? '', hit);
  return [...served.values()];
}

/** Puts the first hit that destroys nothing before all others. */
export function harmlessFirst(
  hits: readonly ToolMatch[],
  isDestructive: (tool: CatalogTool) => boolean,
): readonly ToolMatch[] {
  const at = hits.findIndex(({ tool }) => !isDestructive(tool));
  const harmless = hits[at];
  if (at <= 0 || !harmless) return hits;
  return [harmless, ...hits.filter((hit) => hit !== harmless)];
}
