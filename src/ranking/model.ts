import type { Candidate } from './gather-signals.js';
import { isMemory, type Signal, SIGNALS, signalValues, type SignalValues } from './signals.js';

/** How signals become one score, and scores probabilities. */
export interface Model {
  /** One weight for each of `SIGNALS`. */
  readonly weights: SignalValues;
  readonly calibration: Calibration;
}

/** The log-odds that a candidate is what was wanted: `bias + score·s + lead·l`. */
export interface Calibration {
  readonly bias: number;
  /** Per point of its score. */
  readonly score: number;
  /** Per point it leads the best of the others, or is behind. */
  readonly lead: number;
}

export interface RankedTool extends Candidate {
  readonly score: number;
  /** That it is what was wanted. */
  readonly probability: number;
}

const COLD_WEIGHTS: Readonly<Partial<Record<Signal, number>>> = {
  words: 2,
  coverage: 1,
  needWords: 1,
  meaning: 0.3,
  needMeaning: 0.5,
  needsMeaning: 0.3,
  server: 0.2,
  reliability: 1,
  named: 6,
};

const MEMORY_WEIGHTS: Readonly<Partial<Record<Signal, number>>> = {
  vote: 1.5,
  sureVote: 1.5,
  near: 0.3,
  pastWords: 0.5,
  uses: 0.2,
  serverVote: 0.5,
  serverUses: 0.2,
  needVote: 0.5,
  needLift: 0.3,
  company: 1,
};

/**
 * Fitted on public data sets: requests with the tools they are for, and half as many that none of
 * the tools is for. `docs/decisions` says how.
 */
const CALIBRATION: Calibration = { bias: -5.1, score: 0.69, lead: 0.28 };

/** The same where meaning could not be compared, and scores are lower for it. */
const WORDS_CALIBRATION: Calibration = { bias: -4.8, score: 1.76, lead: 0.25 };

/** Words and meaning only: what there is before any experience. */
export const COLD_MODEL: Model = {
  weights: signalValues(COLD_WEIGHTS),
  calibration: CALIBRATION,
};

/** With the say memory has where it helps. Used as it is only where experience proves it right. */
export const MEMORY_MODEL: Model = {
  weights: signalValues({ ...COLD_WEIGHTS, ...MEMORY_WEIGHTS }),
  calibration: CALIBRATION,
};

export interface RankOptions {
  /** Whether meaning was compared, or words alone. Default: it was. */
  readonly byMeaning?: boolean;
}

/** Best first; equal scores by id. */
export function rank(
  candidates: readonly Candidate[],
  model: Model,
  { byMeaning = true }: RankOptions = {},
): readonly RankedTool[] {
  const calibration = byMeaning ? model.calibration : WORDS_CALIBRATION;
  const scored = candidates
    .map((candidate) => ({ ...candidate, score: weigh(candidate.signals, model.weights) }))
    .toSorted((one, other) => other.score - one.score || (one.tool.id < other.tool.id ? -1 : 1));
  const [first, second] = scored;
  return scored.map((one, place) => {
    const rival = (place === 0 ? second : first)?.score ?? 0;
    return { ...one, probability: probabilityOf(one.score, rival, calibration) };
  });
}

export function weigh(signals: SignalValues, weights: SignalValues): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) sum += weights[at]! * signals[at]!;
  return sum;
}

export function probabilityOf(
  score: number,
  rival: number,
  { bias, score: perScore, lead }: Calibration,
): number {
  return 1 / (1 + Math.exp(-(bias + perScore * score + lead * (score - rival))));
}

/** Whether a model listens to experience at all. */
export function usesMemory({ weights }: Model): boolean {
  return SIGNALS.some((signal, at) => isMemory(signal) && weights[at] !== 0);
}
