import type { ToolId } from '../../core/index.js';
import { f1 } from '../../learning/index.js';

/**
 * How good the chosen members are, from 0 to 1: half of it says how many are right (F1), half whether all
 * of them are. A plan that is nearly right still has to be mended by the agent.
 */
export function planQuality(wanted: readonly ToolId[], chosen: readonly ToolId[]): number {
  const right = new Set(wanted);
  const isExact = chosen.length === right.size && chosen.every((tool) => right.has(tool));
  return (f1(right, chosen) + (isExact ? 1 : 0)) / 2;
}
