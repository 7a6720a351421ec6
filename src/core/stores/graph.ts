import type { ToolId } from '../ids.js';

/**
 * How two nodes belong together. `provides`: a value went from one into the other, the only true
 * "depends on" between tools. `sequence`: one was called right after the other by the same caller.
 * `dependency`: the later needs the whole of a capability. `contains`: a capability calls it.
 * `alternative`: the second did what the first failed to do.
 */
export type EdgeType = 'dependency' | 'contains' | 'provides' | 'sequence' | 'alternative';

/** What executions show about one node: counts that only grow, so that they add up in any order. */
export interface NodeCounts {
  /** A tool, a code operation or a capability. */
  readonly id: ToolId;
  /** Calls of it. */
  readonly calls: number;
  readonly failures: number;
  /** Calls right after another call of the same by the same caller. */
  readonly repeats: number;
  /** Executions it was called in. */
  readonly runs: number;
  /** Of all calls whose time is known. */
  readonly totalMs: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}

/** What executions show about one edge. */
export interface EdgeCounts {
  readonly from: ToolId;
  readonly to: ToolId;
  readonly type: EdgeType;
  /** Executions it was seen in in which the later call worked. */
  readonly observed: number;
  /** Executions it was seen in in which the later call failed. */
  readonly failed: number;
  readonly lastAt: number;
}

/** What some executions add to the graph; of `lastAt` the later counts. */
export interface GraphDelta {
  /** One an id, in order of the ids. */
  readonly nodes: readonly NodeCounts[];
  /** One for each `from`, `to` and `type`, in order of these. */
  readonly edges: readonly EdgeCounts[];
}
