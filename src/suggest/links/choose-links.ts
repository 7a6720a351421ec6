import type { ToolId } from '../../core/index.js';
import { weigh, expectedBest, sigmoid } from '../../learning/index.js';
import type { LinkCandidate } from './link-signals.js';
import type { PlanLink } from './plan-link.js';
import { withoutCycles } from './without-cycles.js';

export interface ChosenLinks {
  /** Likeliest first; never a cycle. */
  readonly links: readonly PlanLink[];
  /** As likely, but each would close a cycle with likelier ones: what both give each other, only one can begin. */
  readonly broken: readonly PlanLink[];
}

/**
 * The links that are best to be expected. `chanceOf` says how likely a tool is wanted at all; without
 * it all of them are.
 */
export function choosePlanLinks(
  candidates: readonly LinkCandidate[],
  weights: Float64Array,
  chanceOf: (tool: ToolId) => number = () => 1,
): ChosenLinks {
  const scored = candidates
    .map(({ from, to, signals }): PlanLink => {
      // Members of a plan come and go together: the less likely of them decides for both.
      const bothWanted = Math.min(chanceOf(from), chanceOf(to));
      return { from, to, probability: sigmoid(weigh(signals, weights)) * bothWanted };
    })
    .toSorted(
      (a, b) => b.probability - a.probability || byText(a.from, b.from) || byText(a.to, b.to),
    );
  const { count } = expectedBest(scored.map(({ probability }) => probability));
  return withoutCycles(scored.slice(0, count));
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
