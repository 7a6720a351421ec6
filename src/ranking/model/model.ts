import { type Calibration, probabilityOf, weigh } from '../../learning/index.js';
import type { ToolCandidate } from '../gather-candidates.js';
import { type Signal, signalValues, type SignalValues } from '../signals.js';

/** How signals become one score, and scores probabilities. */
export interface Model {
  /** One weight for each of `SIGNALS`. */
  readonly weights: SignalValues;
  /** Where experience gave one. Default: what fits so many tools. */
  readonly calibration?: Calibration;
}

export interface RankedTool extends ToolCandidate {
  readonly score: number;
  /** That it is what was wanted. */
  readonly probability: number;
}

const COLD_WEIGHTS: Readonly<Partial<Record<Signal, number>>> = {
  words: 2.6,
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

const SESSION_WEIGHTS: Readonly<Partial<Record<Signal, number>>> = {
  related: 2,
  next: 3,
  overlap: 1,
  capability: 1,
};

/**
 * Fitted on public data sets: requests with the tools they are for, and half as many that none of
 * the tools is for. Among many tools more look alike by chance. `docs/decisions` says how.
 */
const FEW_TOOLS = { tools: 100, calibration: { bias: -6.3, score: 1.15, lead: 0.12 } };
const USUAL_TOOLS = 300;
const MANY_TOOLS = { tools: 1_000, calibration: { bias: -5, score: 0.68, lead: 0.32 } };

/** The same where meaning could not be compared, and scores are lower for it. */
const WORDS_CALIBRATION: Calibration = { bias: -4.4, score: 1.8, lead: 0.36 };

/** What scores mean among so many tools, before experience says more. */
export function defaultCalibration(tools = USUAL_TOOLS): Calibration {
  const way = Math.log(tools / FEW_TOOLS.tools) / Math.log(MANY_TOOLS.tools / FEW_TOOLS.tools);
  const share = Math.min(1, Math.max(0, way));
  const between = (key: keyof Calibration) =>
    (1 - share) * FEW_TOOLS.calibration[key] + share * MANY_TOOLS.calibration[key];
  return { bias: between('bias'), score: between('score'), lead: between('lead') };
}

/** Words and meaning only: what there is before any experience. */
export const COLD_MODEL: Model = { weights: signalValues(COLD_WEIGHTS) };

/** With the say memory has where it helps. Used as it is only where experience proves it right. */
export const MEMORY_MODEL: Model = {
  weights: signalValues({ ...COLD_WEIGHTS, ...MEMORY_WEIGHTS }),
};

/** With the say of what was just called as well. Used only where experience proves it right. */
export const SESSION_MODEL: Model = {
  weights: signalValues({ ...COLD_WEIGHTS, ...MEMORY_WEIGHTS, ...SESSION_WEIGHTS }),
};

export interface RankScale {
  /** How many tools there are to choose from. Default: a usual number. */
  readonly tools?: number;
  /** Whether meaning was compared, or words alone. Default: it was. */
  readonly byMeaning?: boolean;
}

/** Best first; equal scores by id. */
export function rankCandidates(
  candidates: readonly ToolCandidate[],
  model: Model,
  { tools = USUAL_TOOLS, byMeaning = true }: RankScale = {},
): readonly RankedTool[] {
  const known = model.calibration ?? defaultCalibration(tools);
  const calibration = byMeaning ? known : WORDS_CALIBRATION;
  const scored = candidates
    .map((candidate) => ({ ...candidate, score: weigh(candidate.signals, model.weights) }))
    .toSorted((one, other) => other.score - one.score || (one.tool.id < other.tool.id ? -1 : 1));
  const [first, second] = scored;
  return scored.map((one, place) => {
    const rival = (place === 0 ? second : first)?.score ?? 0;
    return { ...one, probability: probabilityOf(one.score, rival, calibration) };
  });
}
