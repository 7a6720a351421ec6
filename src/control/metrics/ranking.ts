import type { Algorithm, AlgorithmTrace, PlanMatch } from '../../core/index.js';

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
  readonly calibration: Calibration;
  /** The same for plans about as sure as each other, the least sure first; those there are. */
  readonly bands: readonly (Calibration & { readonly from: number; readonly to: number })[];
}

export interface Calibration {
  readonly plans: number;
  readonly meanConfidence: number;
  /** The share of plans that were taken exactly. */
  readonly right: number;
}

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

/** With fewer, one more decision changes a share by more than five points. */
const ENOUGH = 20;
const ALGORITHMS: readonly Algorithm[] = ['discover', 'suggest', 'next'];
/** Bounds of how sure plans are; the middle ones decide what is done with them. */
const BANDS = [0, 0.5, 0.7, 0.85, 1];
const SHOWN_SIGNALS = 6;

/** Of decisions that something became of, newest first. */
export function rankingMetrics(judged: readonly AlgorithmTrace[], last: number): RankingMetrics {
  const [newest, oldest] = [judged[0], judged.at(-1)];
  return {
    last,
    decisions: judged.length,
    enough: ENOUGH,
    ...(newest && oldest && { from: oldest.at.toISOString(), to: newest.at.toISOString() }),
    algorithms: ALGORITHMS.flatMap((algorithm) => {
      const own = judged.filter((one) => one.algorithm === algorithm);
      return own.length > 0 ? [algorithmQuality(algorithm, own)] : [];
    }),
  };
}

function algorithmQuality(
  algorithm: Algorithm,
  decisions: readonly AlgorithmTrace[],
): AlgorithmQuality {
  const models = [...new Set(decisions.map(({ model }) => model))];
  return {
    algorithm,
    ...qualityOf(decisions),
    models: models.map((model) => {
      const own = decisions.filter((one) => one.model === model);
      return { model, signals: heaviest(own[0]!), ...qualityOf(own) };
    }),
    ...(algorithm === 'suggest' && { plans: planQuality(decisions) }),
  };
}

function qualityOf(decisions: readonly AlgorithmTrace[]): RankingQuality {
  const places = decisions.map(({ outcome }) => outcome?.place ?? 0);
  return {
    decisions: decisions.length,
    hitAt1: mean(places.map((place) => Number(place === 1))),
    hitAt3: mean(places.map((place) => Number(place >= 1 && place <= 3))),
    mrr: mean(places.map((place) => (place > 0 ? 1 / place : 0))),
    worked: mean(decisions.map(({ outcome }) => Number(outcome?.ok === true))),
    isEnough: decisions.length >= ENOUGH,
  };
}

function planQuality(plans: readonly AlgorithmTrace[]): PlanQuality {
  const share = (match: PlanMatch) =>
    mean(plans.map(({ outcome }) => Number(outcome?.match === match)));
  return {
    exactly: share('exact'),
    partly: share('partly'),
    notAtAll: share('none'),
    calibration: calibrationOf(plans),
    bands: BANDS.slice(1).flatMap((to, at) => {
      const from = BANDS[at]!;
      const own = plans.filter(({ verdict }) => {
        const confidence = verdict?.confidence ?? 0;
        return confidence >= from && (confidence < to || to === 1);
      });
      return own.length > 0 ? [{ from, to, ...calibrationOf(own) }] : [];
    }),
  };
}

function calibrationOf(plans: readonly AlgorithmTrace[]): Calibration {
  return {
    plans: plans.length,
    meanConfidence: mean(plans.map(({ verdict }) => verdict?.confidence ?? 0)),
    right: mean(plans.map(({ outcome }) => Number(outcome?.match === 'exact'))),
  };
}

function heaviest({ weights }: AlgorithmTrace): readonly string[] {
  return Object.entries(weights)
    .filter(([, weight]) => weight !== 0)
    .toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
    .slice(0, SHOWN_SIGNALS)
    .map(([signal]) => signal);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
