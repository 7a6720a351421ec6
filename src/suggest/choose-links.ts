import type { ToolId } from '../core/index.js';
import { weigh } from '../ranking/index.js';
import { expectedBest } from './expected-best.js';
import type { LinkCandidate } from './link-signals.js';

export interface PlanLink {
  readonly from: ToolId;
  readonly to: ToolId;
  /** That the second takes a value of the first. */
  readonly probability: number;
}

/** The links that are best to be expected, likeliest first; never a cycle. */
export function chooseLinks(
  candidates: readonly LinkCandidate[],
  weights: Float64Array,
): readonly PlanLink[] {
  const scored = candidates
    .map(({ from, to, signals }) => ({ from, to, probability: sigmoid(weigh(signals, weights)) }))
    .toSorted(
      (a, b) => b.probability - a.probability || byText(a.from, b.from) || byText(a.to, b.to),
    );
  const { count } = expectedBest(scored.map(({ probability }) => probability));
  const after = new Map<ToolId, ToolId[]>();
  return scored.slice(0, count).filter(({ from, to }) => {
    if (reaches(to, from, after)) return false;
    after.set(from, [...(after.get(from) ?? []), to]);
    return true;
  });
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value));
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
