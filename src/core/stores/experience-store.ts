import type { Principal } from '../principal.js';
import type { ExecutionTrace } from './experience.js';
import type { GraphDelta } from './graph.js';

/** What executions add to the graph: the same executions always add the same. */
export type GraphOf = (traces: readonly ExecutionTrace[]) => GraphDelta;

/** The result of rebuilding the graph. */
export interface GraphRebuilt {
  /** Executions it was made from. */
  readonly executions: number;
  /** Nodes and edges that were missing, superfluous or wrongly counted before. */
  readonly differing: number;
  /** Nodes and edges that count more than these executions show; left unchanged. Missing: none. */
  readonly kept?: number;
}

export interface RebuildOptions {
  /** Called now and then with the number of executions read. */
  readonly onProgress?: (done: number) => void;
  /** An abort leaves everything as it was. */
  readonly signal?: AbortSignal;
  /** Counts never fall: the surplus comes from executions that are no longer stored. */
  readonly keepsMore?: boolean;
}

/**
 * The durable graph of executions. `ExperienceStore.add` writes it together with the executions
 * themselves, so that the two never disagree. Rejects with a `PmlError`.
 */
export interface GraphStore {
  /** All of it. */
  load(): Promise<GraphDelta>;
  /** Whether it includes all stored executions; false if some are older than the graph. */
  isComplete(): Promise<boolean>;
  /** Rebuilds it from all stored executions, including those added meanwhile, all or nothing. */
  rebuild(graphOf: GraphOf, options?: RebuildOptions): Promise<GraphRebuilt>;
}

export interface LoadTraces {
  readonly limit: number;
  readonly owner?: Principal;
}

/** The durable copy of experience. Rejects with a `PmlError`. */
export interface ExperienceStore {
  /** The newest of one owner, oldest of them first. Default: those of the user. */
  load(options: LoadTraces): Promise<readonly ExecutionTrace[]>;
  /**
   * Adds those whose id is not stored yet, all or none, together with their additions to the graph,
   * and returns the ids of those that it added.
   */
  add(traces: readonly ExecutionTrace[], graphOf: GraphOf): Promise<readonly string[]>;
  count(): Promise<number>;
}
