import type { ReliabilityCurve } from '../../learning/index.js';

/** Whether what PML claims comes true, and which learned parts it uses and why. */
export interface ReliabilityMetrics {
  readonly claims: readonly ClaimedAndRight[];
  readonly parts: readonly LearnedPart[];
}

/** What PML puts a probability on: the first tool of a search, a whole plan, one filled argument. */
export type ClaimKind = 'discovery' | 'plans' | 'bindings';

export interface ClaimedAndRight {
  readonly kind: ClaimKind;
  /**
   * `replay`: PML asks past requests again, each without its own answer. `live`: what agents called
   * after PML had answered them.
   */
  readonly source: 'replay' | 'live';
  readonly curve: ReliabilityCurve;
}

/** Something that PML can learn, with what it uses now. */
export interface LearnedPart {
  /** `discovery`, a model of plans (`members`, `links`, `next`, `confidence`), `attention`, `bindings`, `vectors`. */
  readonly part: string;
  /** Such as `cold`, `memory`, `learned`, `shipped`, `off`. */
  readonly inUse: string;
  /** In one line. */
  readonly why: string;
  /** What each candidate brought against the simpler one, on requests it was not learned from. */
  readonly gates: readonly GateRow[];
}

export interface GateRow {
  /** The candidate, and what it would replace if the gate says so. */
  readonly name: string;
  readonly isBetter: boolean;
  readonly gain: number;
  /** The standard error of the gain; missing where too few groups tell it. */
  readonly error?: number;
  readonly answers: number;
  /** Requests that are nearly the same count as one group. */
  readonly groups: number;
  readonly why: string;
}
