import type { ToolId } from '../../core/index.js';
import type { Evidence } from '../evidence.js';

/** With more followers of its own a tool borrows none. */
const FOLLOWED_ENOUGH = 10;
/** How much more the most similar tools lend than less similar ones. */
const SHARPNESS = 8;

/**
 * How likely each tool came after the tools most like this one, by meaning: what followed a rarely
 * called tool says little. Empty if the tool has enough followers of its own.
 */
export function lentFollowers(
  tool: ToolId,
  { graph, alike }: Pick<Evidence, 'graph' | 'alike'>,
): ReadonlyMap<ToolId, number> {
  const lent = new Map<ToolId, number>();
  if (!alike || followed(tool).total >= FOLLOWED_ENOUGH) return lent;
  const lenders = alike(tool, (other) => other !== tool && followed(other).total > 0);
  const weights = lenders.map(([, likeness]) => Math.exp(SHARPNESS * (likeness - 1)));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  lenders.forEach(([lender], at) => {
    const { steps, total } = followed(lender);
    for (const { to, times } of steps) {
      if (to === tool) continue;
      lent.set(to, (lent.get(to) ?? 0) + (weights[at]! * times) / total / all);
    }
  });
  return lent;

  function followed(id: ToolId) {
    const steps = graph.out(id, ['sequence']).map(({ to, observed, failed }) => {
      return { to, times: observed + failed };
    });
    return { steps, total: steps.reduce((sum, { times }) => sum + times, 0) };
  }
}
