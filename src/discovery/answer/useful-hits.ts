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
  { isByWords }: { readonly isByWords: boolean },
): readonly ToolMatch[] {
  const least = isByWords ? 0 : LEAST_LIKELY;
  const top = hits[0]?.score ?? 0;
  const served = new Set<string>();
  return hits.filter(({ score, need = '' }) => {
    const isFirstOfNeed = !served.has(need);
    served.add(need);
    return score >= least && (isFirstOfNeed || score >= top * LEAST_SHARE);
  });
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
