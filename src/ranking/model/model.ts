import type { FeatureValues } from '../../attention/index.js';
import { type Calibration, probabilityOf, weigh } from '../../learning/index.js';
import type { ToolCandidate } from '../gather-candidates.js';
import { type Signal, signalValues, type SignalValues } from '../signals.js';

/** How signals become one score, and scores probabilities. */
export interface Model {
  /** One weight for each of `SIGNALS`. */
  readonly weights: SignalValues;
  /** Where experience gave one. Default: what fits so many tools. */
  readonly calibration?: Calibration;
  /** What trace features add, where they proved useful. */
  readonly features?: FeatureValues;
}

export interface RankedTool extends ToolCandidate {
  readonly score: number;
  /** That it is what was wanted. */
  readonly probability: number;
}

/**
 * Fitted by `npm run bench -- fit-ranking` to public data sets, without those recorded from agents at
 * real servers; rounded. `docs/decisions` says what they do on sets that they never saw.
 */
const COLD_WEIGHTS: Readonly<Partial<Record<Signal, number>>> = {
  words: 2,
  coverage: 0.3,
  needWords: 0.65,
  needMeaning: 0.4,
  needsMeaning: 0.4,
  server: 0.2,
  // Decisions of ours from here on.
  reliability: 1,
  named: 6,
  unasked: -1,
  outdated: -0.5,
  // What served the very same request decides, also after one time.
  repeat: 8,
};

const MEMORY_WEIGHTS: Readonly<Partial<Record<Signal, number>>> = {
  vote: 0.95,
  sureVote: 0.45,
  near: 0.35,
  pastWords: 0.6,
  uses: 0.6,
  serverVote: 0.1,
  serverUses: -0.4,
  needVote: 0.1,
  needLift: 0.3,
  company: 1.2,
};

const SESSION_WEIGHTS = {
  related: 2,
  next: 3,
  overlap: 1,
  capability: 1,
} satisfies Partial<Record<Signal, number>>;

export const SESSION_SIGNALS = Object.keys(SESSION_WEIGHTS) as readonly Signal[];

/**
 * What scores mean, fitted by `npm run bench -- fit-chances` over catalogs of 25 to 3,000 tools, with no
 * past, a short and a long one; a third of the requests are for none of the tools.
 */
const FEW_TOOLS = 100;
const USUAL_TOOLS = 300;
const MANY_TOOLS = 1_000;
const BY_MEANING = {
  few: { bias: -4.3, score: 0.88, lead: 0.34 },
  many: { bias: -4.5, score: 0.82, lead: 0.43 },
};
/** Where meaning could not be compared: scores are lower for it. */
const BY_WORDS = {
  few: { bias: -3.1, score: 2.3, lead: 0.57 },
  many: { bias: -3.3, score: 2.2, lead: 0.69 },
};

/** What scores mean among so many tools, before experience says more. */
export function defaultCalibration(tools = USUAL_TOOLS, byMeaning = true): Calibration {
  const { few, many } = byMeaning ? BY_MEANING : BY_WORDS;
  const way = Math.log(tools / FEW_TOOLS) / Math.log(MANY_TOOLS / FEW_TOOLS);
  const share = Math.min(1, Math.max(0, way));
  const between = (key: keyof Calibration) => (1 - share) * few[key] + share * many[key];
  return { bias: between('bias'), score: between('score'), lead: between('lead') };
}

/** Words and meaning only, and of the past what served the very same request. */
export const COLD_MODEL: Model = { weights: signalValues(COLD_WEIGHTS) };

/** With what past requests say of new ones. */
export const MEMORY_MODEL: Model = {
  weights: signalValues({ ...COLD_WEIGHTS, ...MEMORY_WEIGHTS }),
};

/** With the say of what was just called as well. */
export const SESSION_MODEL: Model = withSession(MEMORY_MODEL);

/** The same model with the say of what was just called. */
export function withSession({ weights }: Model): Model {
  const session = signalValues(SESSION_WEIGHTS);
  return { weights: weights.map((weight, at) => session[at]! || weight) };
}

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
  // Experience covers scores with meaning only.
  const learned = byMeaning ? model.calibration : undefined;
  const calibration = learned ?? defaultCalibration(tools, byMeaning);
  const scored = candidates
    .map((candidate) => ({ ...candidate, score: scoreOf(candidate, model) }))
    .toSorted((one, other) => other.score - one.score || (one.tool.id < other.tool.id ? -1 : 1));
  const [first, second] = scored;
  return scored.map((one, place) => {
    const rival = (place === 0 ? second : first)?.score ?? 0;
    return { ...one, probability: probabilityOf(one.score, rival, calibration) };
  });
}

function scoreOf(
  { signals, features: values }: ToolCandidate,
  { weights, features }: Model,
): number {
  const added = values && features ? weigh(values, features) : 0;
  return weigh(signals, weights) + added;
}
