import type { RunId, ToolId } from '../ids.js';
import type { JsonObject, JsonValue } from '../json.js';
import type { Principal } from '../principal.js';
import type { Origin } from '../run/provenance.js';
import type { Decider, RunCommand } from '../run/run-command.js';

/** Why a call failed, as far as its error shows. */
export type ErrorType =
  | 'timeout'
  | 'permission'
  | 'not_found'
  | 'validation'
  | 'network'
  | 'unknown';

/** One call of a past execution. */
export interface PastCall {
  readonly tool: ToolId;
  readonly ok: boolean;
  readonly ms?: number;
  /** Milliseconds after the execution began. */
  readonly startMs?: number;
  /** Place in `calls` of the call that made this one, for calls inside code or a capability. */
  readonly parent?: number;
  /** Set when it failed. */
  readonly errorType?: ErrorType;
  /** The beginning of what its error said, without secrets. */
  readonly errorMessage?: string;
  /**
   * Arguments as they were written, without those that came out of other calls of the same execution,
   * secrets and long texts. Missing when none were kept.
   */
  readonly args?: JsonObject;
  /** Of those arguments that PML filled in, by path. What is not named was given. */
  readonly origins?: Readonly<Record<string, Origin>>;
}

/** A decision that was made while an execution was under way. */
export interface PastDecision {
  readonly by: Decider;
  readonly kind: RunCommand['kind'];
  /** Milliseconds after the execution began. */
  readonly atMs: number;
  /** Whose calls it was about. */
  readonly tools: readonly ToolId[];
}

/** A value that went from the output of one call into a parameter of another. */
export interface PastBinding {
  /** Places in `calls`. */
  readonly from: number;
  readonly to: number;
  /** Path in the producer's output, where known. */
  readonly field?: string;
  /** Parameter of the consumer, where known. */
  readonly param?: string;
  /** Set where the value was only a part of the parameter: of a text, a list or an object. */
  readonly part?: PastPart;
  /** Set where PML chose it; else the agent or user wrote it. */
  readonly origin?: Origin;
}

export interface PastPart {
  /**
   * The parameter as it was written, with `${}` for the values of the bindings into it, in their
   * order. The first of these bindings has it, unless it was not kept.
   */
  readonly template?: JsonValue;
}

/** A call that was made before an execution, by the same client. */
export interface EarlierCall {
  readonly tool: ToolId;
  readonly ok: boolean;
}

/** One execution as it is remembered: what was wanted, what was called, and whether it worked. */
export interface ExecutionTrace {
  readonly id: string;
  /** What the client wanted, in words; empty if it did not say. */
  readonly intent: string;
  readonly at: Date;
  readonly source: 'live' | 'import';
  readonly ok: boolean;
  /** In the order they were made. */
  readonly calls: readonly PastCall[];
  readonly bindings: readonly PastBinding[];
  /** The run it is the record of. */
  readonly run?: RunId;
  /** How long all of it took. */
  readonly ms?: number;
  readonly decisions?: readonly PastDecision[];
  /** Executions that belong together, as variants of one task, and must not judge each other. */
  readonly group?: string;
  /** What its client had called shortly before, newest last. */
  readonly before?: readonly EarlierCall[];
  /** It says which of its values PML filled in. Live executions of older versions do not. */
  readonly hasOrigins?: true;
  /** The named client whose memory it is; missing for the user. */
  readonly owner?: Principal;
}

/** One candidate of a decision, with everything that spoke for it. */
export interface ScoredCandidate {
  readonly tool: ToolId;
  /** Probability that it is what was wanted. */
  readonly score: number;
  readonly signals: Readonly<Record<string, number>>;
}

/** How the executed tools match the suggested ones: the same tools, some of them, or none. */
export type PlanMatch = 'exact' | 'partly' | 'none';

/** The outcome of a decision: which candidate was called, and whether that worked. */
export interface DecisionOutcome {
  readonly tool: ToolId;
  /** Place among the candidates, from 1; 0 when it was not among them. */
  readonly place: number;
  readonly ok: boolean;
  /** Of a suggested plan. */
  readonly match?: PlanMatch;
  /** The run that gave the outcome, if it was a run. */
  readonly run?: RunId;
}

/** What an agent is to do with a plan. */
export type SuggestionMode = 'explicit_required' | 'suggestion' | 'speculative_execution';

/** The verdict on a whole answer, from the confidence of its algorithm. */
export interface DecisionVerdict {
  /** From 0 to 1. */
  readonly confidence: number;
  /** The threshold that the confidence reached, or, for the lowest mode, did not reach. */
  readonly threshold: number;
  readonly mode: SuggestionMode;
}

/** Finds tools for an intent, a whole plan for it, or the next step of a run for it. */
export type Algorithm = 'discover' | 'suggest' | 'next';

/** One decision of an algorithm: its candidates, their weights, and the outcome. */
export interface AlgorithmTrace {
  readonly id: string;
  readonly at: Date;
  readonly algorithm: Algorithm;
  readonly intent: string;
  /** Which ranking model weighed them, and how. */
  readonly model: string;
  readonly weights: Readonly<Record<string, number>>;
  /** Best first. */
  readonly candidates: readonly ScoredCandidate[];
  /** How many of them were shown; of a plan, how many it is made of. */
  readonly shown: number;
  /** Of a plan. */
  readonly verdict?: DecisionVerdict;
  readonly outcome?: DecisionOutcome;
}

/** Decisions of one algorithm that have an outcome, made on one day. Shares from 0 to 1. */
export interface DailyOutcomes {
  /** `2026-11-17`, in UTC. */
  readonly day: string;
  readonly algorithm: Algorithm;
  readonly decisions: number;
  /** The first candidate was called; one of the first three. */
  readonly hitAt1: number;
  readonly hitAt3: number;
  /** The mean reciprocal rank of the called tool; 0 if it was not a candidate. */
  readonly mrr: number;
  readonly worked: number;
  /** Of plans: how many were judged, and the share that was taken exactly. */
  readonly plans: number;
  readonly exactly: number;
}

/** Weights that were learned, with the measurement that justified them. */
export interface RankingModel {
  readonly id: string;
  readonly at: Date;
  /** Anything the ranker needs to work again. */
  readonly parameters: JsonObject;
  /** What it was measured with, against the weights it replaced. */
  readonly metric: JsonObject;
  readonly status: 'active' | 'retired' | 'rejected' | 'rolled-back';
}

/** Vectors of tools that a model was learned with. Only the learner knows the byte format. */
export interface StoredVectors {
  readonly model: string;
  readonly at: Date;
  /** The embedding space of the frozen vectors. */
  readonly space: string;
  /** In the order of the weights, each with the hash of the text it was learned with. */
  readonly tools: readonly { readonly id: ToolId; readonly hash: string }[];
  readonly weights: Uint8Array;
}

/** The durable copy of decisions and of what was learned from them. Rejects with a `PmlError`. */
export interface RankingStore {
  addTraces(traces: readonly AlgorithmTrace[]): Promise<void>;
  setOutcome(trace: string, outcome: DecisionOutcome): Promise<void>;
  /** Newest first; `judged`: only those with an outcome; `run`: only those this run judged. */
  traces(options: {
    limit: number;
    judged?: boolean;
    run?: RunId;
  }): Promise<readonly AlgorithmTrace[]>;
  /** Outcomes of decisions by day, oldest first. */
  daily(options: { since: Date }): Promise<readonly DailyOutcomes[]>;
  /** Keeps only this many, the newest. */
  prune(options: { keep: number }): Promise<void>;
  /** Newest first. */
  models(options: { limit: number }): Promise<readonly RankingModel[]>;
  /** Writes a model. If it is active, the same step retires the previously active one. */
  saveModel(model: RankingModel): Promise<void>;
  /** Weights of plans and next steps: those in use and those before, newest first. */
  planModels(): Promise<readonly RankingModel[]>;
  /** Writes weights of plans. If they are active, the same step retires those before. */
  savePlanModel(model: RankingModel): Promise<void>;
  /** Of the model in use and of the one before. */
  vectors(model: string): Promise<StoredVectors | undefined>;
  /** Those of older models are removed. */
  saveVectors(vectors: StoredVectors): Promise<void>;
}

/** What the results of a tool that declares no output schema were seen to look like. */
export interface ObservedOutput {
  readonly tool: ToolId;
  /** Of the definition it was observed with: another definition is another tool. */
  readonly definitionHash: string;
  /** A JSON Schema that every observed result satisfies. */
  readonly schema: JsonObject;
  readonly observations: number;
}

/** The durable copy of observed outputs, one a tool. Rejects with a `PmlError`. */
export interface OutputStore {
  load(): Promise<readonly ObservedOutput[]>;
  /** Writes or replaces them, all or none. */
  save(outputs: readonly ObservedOutput[]): Promise<void>;
}
