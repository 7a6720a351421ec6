import { type RunEdge, runEdge } from '../../attention/index.js';
import type { ToolId } from '../../core/index.js';
import { type PastPlan, splitPair } from './past-plan.js';

/** A past execution as an edge of the hypergraph; nothing if it failed or called nothing. */
export function planEdge({ ok, tools, flows }: PastPlan): RunEdge | undefined {
  if (!ok || tools.length === 0) return undefined;
  const givers = new Set<ToolId>(Array.from(flows ?? [], (key) => splitPair(key)[0]!));
  return runEdge({ tools, givers });
}
