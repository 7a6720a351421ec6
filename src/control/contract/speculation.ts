import type { Rung } from '../../core/index.js';
import type { PredictionFigures } from '../../speculation/index.js';
import type { GateRow } from './reliability.js';

/** What PML did before it was asked, and its outcome. */
export interface SpeculationMetrics {
  /** Predictions that are remembered; all figures are made of these. */
  readonly predictions: number;
  /** ISO 8601, of the oldest. */
  readonly from?: string;
  readonly rungs: readonly (PredictionFigures & { readonly rung: Rung })[];
  readonly clients: readonly (PredictionFigures & { readonly client: string })[];
  /** Calls that only PML made, by server. */
  readonly extraCalls: readonly { readonly server: string; readonly calls: number }[];
  readonly thresholds: readonly ThresholdMetrics[];
  /** Whether past episodes correct predictions now, and the test that decided it. */
  readonly episodes: { readonly inUse: boolean; readonly gate: GateRow };
}

export interface ThresholdMetrics {
  readonly rung: Rung;
  /** What its tools do: `list`, `read`, `search` or `other`. */
  readonly kind: string;
  readonly value: number;
  /** Predictions did not pay at any threshold; PML watches them and acts on none. */
  readonly isOff: boolean;
  readonly why: string;
  /** ISO 8601, when it moved last. */
  readonly at: string;
  /** Outcomes that decide where it goes next. */
  readonly outcomes: number;
  readonly figures: PredictionFigures;
  /** Oldest first; a value above 1 means off. */
  readonly history: readonly { readonly at: string; readonly value: number }[];
}

/** One line of `pml status`. */
export interface SpeculationSummary {
  readonly predictions: number;
  readonly served: number;
  readonly wasted: number;
  readonly savedMs: number;
  /** Whether past episodes correct predictions, and why. */
  readonly episodes: { readonly inUse: boolean; readonly why: string };
  /** Rungs and kinds of tools on which PML acts on no prediction. */
  readonly off: readonly string[];
}

export const FORGET_TARGETS = ['episodes', 'thresholds', 'speculation'] as const;

/** Episodes, thresholds, or both. */
export type ForgetTarget = (typeof FORGET_TARGETS)[number];

/** How many rows went. */
export interface ForgottenRows {
  readonly episodes: number;
  readonly thresholds: number;
}
