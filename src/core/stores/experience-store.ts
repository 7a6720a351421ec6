import type { ExecutionTrace } from './experience.js';
import type { GraphDelta } from './graph.js';

/** What executions add to the graph: the same executions always add the same. */
export type GraphOf = (traces: readonly ExecutionTrace[]) => GraphDelta;

/** What making the graph anew showed. */
export interface GraphRebuilt {
  /** Executions it was made from. */
  readonly executions: number;
  /** Nodes and edges that were missing, too many or counted otherwise before. */
  readonly differing: number;
  /** Nodes and edges that count more than these executions tell, and were left so. Missing: none. */
  readonly kept?: number;
}

export interface RebuildOptions {
  /** Hears now and then how many executions were read. */
  readonly onProgress?: (done: number) => void;
  /** Leaves everything as it was. */
  readonly signal?: AbortSignal;
  /** Counts never fall: what is more was told by executions that are not stored any more. */
  readonly keepsMore?: boolean;
}

/**
 * The durable copy of what executions told. `ExperienceStore.add` writes it with the executions
 * themselves, so that the two never disagree. Rejects with a `PmlError`.
 */
export interface GraphStore {
  /** All of it. */
  load(): Promise<GraphDelta>;
  /** Whether all stored executions are in it: not those from before there was a graph. */
  isComplete(): Promise<boolean>;
  /** Makes it anew from all stored executions, those added meanwhile too, all or nothing. */
  rebuild(graphOf: GraphOf, options?: RebuildOptions): Promise<GraphRebuilt>;
}

/** The durable copy of experience. Rejects with a `PmlError`. */
export interface ExperienceStore {
  /** The newest, oldest of them first. */
  load(options: { limit: number }): Promise<readonly ExecutionTrace[]>;
  /**
   * Adds those whose id is not there yet, all or none, together with what they tell of the graph,
   * and gives the ids of those that were added.
   */
  add(traces: readonly ExecutionTrace[], graphOf: GraphOf): Promise<readonly string[]>;
  count(): Promise<number>;
}
