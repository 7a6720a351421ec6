import type { Algorithm } from '../../core/index.js';

export interface RankingMetrics {
  /** How many decisions were asked for, and how many there are. */
  readonly last: number;
  readonly decisions: number;
  /** How many of one kind it takes to tell. */
  readonly enough: number;
  /** When the oldest and the newest were made. */
  readonly from?: string;
  readonly to?: string;
  readonly algorithms: readonly AlgorithmQuality[];
}

export interface AlgorithmQuality extends RankingQuality {
  readonly algorithm: Algorithm;
  /** By the weights that made them, the newest in use first. */
  readonly models: readonly (RankingQuality & {
    readonly model: string;
    /** What was weighed, the heaviest first. */
    readonly signals: readonly string[];
  })[];
  /** Of suggested plans. */
  readonly plans?: PlanQuality;
}

/** How right decisions of one kind were; shares from 0 to 1. */
export interface RankingQuality {
  readonly decisions: number;
  /** Of them the first candidate was called. */
  readonly hitAt1: number;
  /** One of the first three. */
  readonly hitAt3: number;
  /** One over the place of the first that was called, on average; 0 when none was. */
  readonly mrr: number;
  /** What was called worked. */
  readonly worked: number;
  /** False: so few that chance may explain the numbers. */
  readonly isEnough: boolean;
}

/** How far suggested plans were taken, and whether they were as sure as they had a right to be. */
export interface PlanQuality {
  readonly exactly: number;
  readonly partly: number;
  readonly notAtAll: number;
  readonly calibration: CalibrationRow;
  /** The same for plans about as sure as each other, the least sure first; those there are. */
  readonly bands: readonly (CalibrationRow & { readonly from: number; readonly to: number })[];
}

export interface CalibrationRow {
  readonly plans: number;
  readonly meanConfidence: number;
  /** The share of plans that were taken exactly. */
  readonly right: number;
}

/** How right decisions were, day by day. */
export interface MetricsHistory {
  /** Oldest first; days without a decision are missing. */
  readonly days: readonly DayQuality[];
}

export interface DayQuality extends RankingQuality {
  /** `2026-11-17`, in UTC. */
  readonly day: string;
  readonly algorithm: Algorithm;
  /** Of suggested plans: how many there were, and the share that agents took exactly. */
  readonly plans?: { readonly plans: number; readonly exactly: number };
}
