import type { ToolId } from '../core/index.js';
import { weigh } from '../ranking/index.js';
import { expectedBest } from './expected-best.js';
import type { LinkCandidate } from './link-signals.js';
import { sigmoid } from './odds.js';

export interface PlanLink {
  readonly from: ToolId;
  readonly to: ToolId;
  /** That both are wanted and the second takes a value of the first. */
  readonly probability: number;
}

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
export function chooseLinks(
  candidates: readonly LinkCandidate[],
  weights: Float64Array,
  chanceOf: (tool: ToolId) => number = () => 1,
): ChosenLinks {
  const scored = candidates
    .map(({ from, to, signals }): PlanLink => {
      // Members of a plan come and go together: the less likely one tells of both.
      const bothWanted = Math.min(chanceOf(from), chanceOf(to));
      return { from, to, probability: sigmoid(weigh(signals, weights)) * bothWanted };
    })
    .toSorted(
      (a, b) => b.probability - a.probability || byText(a.from, b.from) || byText(a.to, b.to),
    );
  const { count } = expectedBest(scored.map(({ probability }) => probability));
  const after = new Map<ToolId, ToolId[]>();
  const links: PlanLink[] = [];
  const broken: PlanLink[] = [];
  for (const link of scored.slice(0, count)) {
    const { from, to } = link;
    const isClosing = reaches(to, from, after);
    (isClosing ? broken : links).push(link);
    if (!isClosing) after.set(from, [...(after.get(from) ?? []), to]);
  }
  return { links, broken };
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function reaches(start: ToolId, end: ToolId, after: ReadonlyMap<ToolId, readonly ToolId[]>) {
  // Grows while it is read.
  const seen = new Set([start]);
  for (const tool of seen) {
    if (tool === end) return true;
    for (const next of after.get(tool) ?? []) seen.add(next);
  }
  return false;
}
