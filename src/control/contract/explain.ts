import type { JsonObject, PlanMatch, SuggestionMode } from '../../core/index.js';
import type { PredictedStep } from '../../workflows/index.js';

export type { PlanExplanation } from '../../workflows/index.js';

/** What a past execution came from, did, and taught. */
export interface ExecutionExplanation {
  readonly id: string;
  /** Empty if the agent gave none. */
  readonly intent: string;
  readonly at: string;
  readonly ok: boolean;
  readonly ms?: number;
  /** Decisions that led to it, newest first. */
  readonly from: readonly LeadingDecision[];
  /** In the order they were made. */
  readonly calls: readonly ExplainedCall[];
  readonly flows: readonly ExplainedFlow[];
  /** The edges of the graph that it used, as they are now. */
  readonly edges: readonly TaughtEdge[];
  /** Other executions with similar requests, most similar first. */
  readonly similar: readonly LikeExecution[];
  /** The calls that would probably come next, likeliest first. */
  readonly next: readonly PredictedStep[];
}

export interface LeadingDecision {
  readonly algorithm: string;
  readonly at: string;
  readonly intent: string;
  /** The tool that was called, and its place among the candidates; 0: not among them. */
  readonly tool: string;
  readonly place: number;
  readonly tools: readonly string[];
  /** Likeliest first, including those that were not called. */
  readonly candidates: readonly {
    readonly tool: string;
    /** From 0 to 1. */
    readonly score: number;
    /** The arguments of this execution, as far as PML kept them; missing if there are none. */
    readonly args?: JsonObject;
  }[];
  readonly confidence?: number;
  readonly mode?: SuggestionMode;
  readonly match?: PlanMatch;
}

export interface ExplainedCall {
  readonly tool: string;
  readonly ok: boolean;
  readonly ms?: number;
  /** How deep inside of scripts and capabilities it was called. */
  readonly depth: number;
  readonly args?: JsonObject;
}

export interface ExplainedFlow {
  /** Places in `calls`. */
  readonly from: number;
  readonly to: number;
  readonly field?: string;
  readonly param?: string;
}

export interface TaughtEdge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** Whether this execution speaks for it, or against it because the later call failed. */
  readonly worked: boolean;
  readonly weight: number;
  /** Executions in which it worked and in which it failed, this one among them. */
  readonly observed: number;
  readonly failed: number;
  /** With stronger edges it would close a cycle. */
  readonly isLeftOut: boolean;
}

export interface LikeExecution {
  readonly id: string;
  readonly at: string;
  readonly intent: string;
  readonly ok: boolean;
  readonly share: number;
  readonly tools: readonly string[];
}
