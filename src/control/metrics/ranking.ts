import type { Algorithm, AlgorithmTrace, PlanMatch } from '../../core/index.js';
import { SPECULATED_FROM, SUGGESTED_FROM, SURE } from '../../learning/index.js';
import type {
  AlgorithmQuality,
  CalibrationRow,
  PlanQuality,
  RankingMetrics,
  RankingQuality,
} from '../contract/metrics.js';

/** With fewer, one more decision changes a share by more than five points. */
export const ENOUGH = 20;
const ALGORITHMS: readonly Algorithm[] = ['discover', 'suggest', 'next'];
/** Bounds of how sure plans are; the middle ones decide what is done with them. */
const BANDS = [0, SURE, SUGGESTED_FROM, SPECULATED_FROM, 1];
const SHOWN_SIGNALS = 6;

/** Of decisions that a call followed, newest first. */
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

function calibrationOf(plans: readonly AlgorithmTrace[]): CalibrationRow {
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
