import { type FeatureValues, NO_FEATURES } from '../../attention/index.js';
import {
  AGAINST_CONTROL,
  type Calibration,
  calibrate,
  type Certainty,
  type Claim,
  claimsOf,
  comparePaired,
  foldsOf,
  type GateVerdict,
  mapInSlices,
  meanQuality,
  type Quality,
  qualityOf,
  type ReliabilityCurve,
  reliabilityCurve,
  spreadOver,
  withControls,
  worth,
} from '../../learning/index.js';
import { type Signal, SIGNALS, type SignalValues } from '../signals.js';
import { joined, learnTraceFeatures, withFeatures } from './learn-trace-features.js';
import { type Example, learnWeights, misledBy } from './learn-weights.js';
import {
  COLD_MODEL,
  defaultCalibration,
  MEMORY_MODEL,
  type Model,
  SESSION_SIGNALS,
  withSession,
} from './model.js';

/**
 * Words and meaning; past requests too; what was just called as well; weights of its own; vectors of
 * tools that were learned from past requests.
 */
export const MODEL_KINDS = ['cold', 'memory', 'session', 'learned', 'vectors'] as const;

export type ModelKind = (typeof MODEL_KINDS)[number];

/** What a paired test said of a model against the simpler one. */
export interface Gate extends GateVerdict {
  readonly name: Exclude<ModelKind, 'cold'> | 'features';
}

/** A model and the measurement that justifies it: on requests it has not learned from. */
export interface Choice {
  readonly kind: ModelKind;
  readonly model: Model;
  /** Of a model with learned vectors: the best one without. */
  readonly withoutVectors?: Model;
  readonly heldOut: Readonly<Record<ModelKind, Quality>>;
  readonly gates: readonly Gate[];
  /** How the model answers new requests, and those that were asked before. */
  readonly asked: Readonly<Record<'news' | 'repeats', Answered>>;
  /** How far the model's probabilities came true, each fitted without the request it is about. */
  readonly reliability: ReliabilityCurve;
  readonly examples: number;
}

interface Answered extends Quality {
  readonly requests: number;
}

export interface ChooseOptions {
  /** How many tools there are to choose from. Default: a usual number. */
  readonly tools?: number;
  readonly pause: () => Promise<void>;
}

/** Fewer past requests than this say nothing of a model. */
const LEAST_EXAMPLES = 5;
/** Fewer than this are enough to judge a model, but not to learn one from. */
const LEAST_TO_LEARN = 20;
const FOLDS = 4;
/** More examples than this judge better, but teach no more. */
const MOST_TO_LEARN = 300;
/** Where learning begins for vectors, before their own examples say more. */
const VECTORS_PRIOR = 0.5;

/**
 * Replays past requests, each as if nothing like it had ever been asked, and takes the model that
 * answers them best. What the past says is listened to unless words and meaning alone are better beyond
 * chance; anything more only where it is better beyond chance.
 */
export async function chooseModel(
  examples: readonly Example[],
  { tools, pause }: ChooseOptions,
): Promise<Choice | undefined> {
  if (examples.length < LEAST_EXAMPLES) return undefined;
  const folds = foldsOf(examples, FOLDS);
  const judge = judgeOf(folds, pause);
  const cold = await judge(() => COLD_MODEL.weights);
  const memory = await judge(() => MEMORY_MODEL.weights);
  const isColdBetter = compared(folds, memory, cold).isBetter;
  const base = isColdBetter ? COLD_MODEL : MEMORY_MODEL;
  const session = await judge(() => withSession(base).weights);
  const ofBase = isColdBetter ? cold : memory;
  // Only requests that came after calls can tell.
  const ofSession = compared(folds, ofBase, session, { counts: hasSession });
  const given = ofSession.isBetter ? withSession(base) : base;
  const ofGiven = ofSession.isBetter ? session : ofBase;
  const learning = await learnedInFolds(examples, folds, { prior: given.weights, pause });
  const learned = learning ? await judge((fold) => learning[fold]!) : ofGiven;
  const ofLearned = await withControls(compared(folds, ofGiven, learned), async (draw) => {
    const misled = examples.map((one) => ({ ...one, isRight: misledBy(one, draw) }));
    if (!misled.some(({ isRight }) => isRight.includes(true))) return undefined;
    const control = await learnedInFolds(misled, foldsOf(misled, FOLDS), {
      prior: given.weights,
      pause,
    });
    return (
      control &&
      compared(folds, await judge((fold) => control[fold]!), learned, {
        certainty: AGAINST_CONTROL,
      })
    );
  });
  const isLearned = learning !== undefined && ofLearned.isBetter;
  const kind = isLearned
    ? 'learned'
    : ofSession.isBetter
      ? 'session'
      : isColdBetter
        ? 'cold'
        : 'memory';
  const before: Weighing = {
    kind,
    prior: given.weights,
    judged: isLearned ? learned : ofGiven,
    ...(isLearned && { learning }),
  };
  const vectors = await judgeVectors(before, { examples, folds, judge, learned, pause });
  const chosen = vectors?.gate.isBetter ? vectors : before;
  const inFold = (fold: number) => chosen.learning?.[fold] ?? chosen.prior;
  const traced = await learnTraceFeatures(folds, inFold, pause);
  const seen = traced.weights ? calibratedBy(traced.weights) : AS_SEEN;
  const options = { prior: defaultCalibration(tools), pause };
  const modelOf = async ({ learning: learns, prior: own }: Weighing, as: Seen): Promise<Model> => {
    const weights = learns ? await learnFrom(examples, { prior: own, pause }) : own;
    const seenExamples = await mapInSlices(examples, as.example, pause);
    const calibrated = await calibrate(seenExamples, as.weights(weights), options);
    return { weights, calibration: calibrated };
  };
  const seenFolds: (readonly Example[])[] = [];
  for (const held of folds) seenFolds.push(await mapInSlices(held, seen.example, pause));
  return {
    kind: chosen.kind,
    model: {
      ...(await modelOf(chosen, seen)),
      ...(traced.weights && { features: traced.weights }),
    },
    ...(chosen !== before && { withoutVectors: await modelOf(before, AS_SEEN) }),
    heldOut: heldOutOf({
      cold,
      memory,
      session,
      learned,
      vectors: vectors?.judged ?? before.judged,
    }),
    gates: [
      { name: 'memory', ...compared(folds, cold, memory) },
      { name: 'session', ...ofSession },
      { name: 'learned', ...ofLearned },
      ...(vectors ? [{ name: 'vectors' as const, ...vectors.gate }] : []),
      ...(examples.some(({ features }) => features)
        ? [{ name: 'features' as const, ...traced.verdict }]
        : []),
    ],
    asked: await askedOf(folds, judge, inFold),
    reliability: reliabilityCurve(
      await claimsInFolds(seenFolds, (fold) => seen.weights(inFold(fold)), options),
    ),
    examples: examples.length,
  };
}

/** Examples and weights as they are scored. */
interface Seen {
  readonly example: (one: Example) => Example;
  readonly weights: (weights: SignalValues) => Float64Array;
}

const AS_SEEN: Seen = { example: (one) => one, weights: (weights) => weights };

function calibratedBy(features: FeatureValues): Seen {
  return {
    example: (one) => withFeatures(one, one.features ?? one.candidates.map(() => NO_FEATURES)),
    weights: (weights) => joined(weights, features),
  };
}

/** A way to weigh signals, and how well it answered. */
interface Weighing {
  readonly kind: ModelKind;
  readonly prior: SignalValues;
  /** The weights that the examples outside of each fold teach, if any are learned. */
  readonly learning?: readonly SignalValues[];
  readonly judged: Judged;
}

interface Judging {
  readonly examples: readonly Example[];
  readonly folds: Folds;
  readonly judge: ReturnType<typeof judgeOf>;
  /** How learned weights without vectors do, in use or not. */
  readonly learned: Judged;
  readonly pause: () => Promise<void>;
}

/** The same with learned vectors, against the best without; undefined where no vectors were learned. */
async function judgeVectors(
  before: Weighing,
  { examples, folds, judge, learned, pause }: Judging,
): Promise<(Weighing & { readonly gate: GateVerdict }) | undefined> {
  const at = SIGNALS.indexOf('trained' satisfies Signal);
  const isTrained = examples.some(({ candidates }) => candidates.some((one) => one[at] !== 0));
  if (!isTrained) return undefined;
  const prior = before.prior.with(at, VECTORS_PRIOR);
  const learning = await learnedInFolds(examples, folds, { prior, pause });
  if (!learning) return undefined;
  const judged = await judge((fold) => learning[fold]!);
  const ofAll = compared(folds, before.judged, judged);
  // What the weights learned beside the vectors is no merit of the vectors.
  const ofVectors = compared(folds, learned, judged);
  const gate = ofAll.isBetter && !ofVectors.isBetter ? ofVectors : ofAll;
  return { kind: 'vectors', prior, learning, judged, gate };
}

type Folds = readonly (readonly Example[])[];
/** In the order of the folds. */
type Judged = readonly Quality[];

function judgeOf(folds: Folds, pause: () => Promise<void>) {
  return async (weightsOf: (fold: number) => SignalValues): Promise<Judged> => {
    await pause();
    const each: Quality[][] = [];
    for (const [fold, held] of folds.entries()) {
      each.push(await mapInSlices(held, (one) => qualityOf(one, weightsOf(fold)), pause));
    }
    return each.flat();
  };
}

interface CompareOptions {
  /** The examples that can tell. Default: all. */
  readonly counts?: (one: Example) => boolean;
  readonly certainty?: Certainty;
}

function compared(
  folds: Folds,
  simpler: Judged,
  candidate: Judged,
  { counts = () => true, certainty }: CompareOptions = {},
): GateVerdict {
  const answers = folds.flat().map((one, at) => ({
    one,
    group: one.group,
    simpler: worth(simpler[at]!),
    candidate: worth(candidate[at]!),
  }));
  return comparePaired(
    answers.filter(({ one }) => counts(one)),
    certainty,
  );
}

const SESSION_PLACES = SESSION_SIGNALS.map((signal) => SIGNALS.indexOf(signal));

function hasSession({ candidates }: Example): boolean {
  return candidates.some((values) => SESSION_PLACES.some((at) => values[at] !== 0));
}

/** For each fold what the others teach; undefined where there are too few. */
async function learnedInFolds(
  examples: readonly Example[],
  folds: Folds,
  options: { readonly prior: SignalValues; readonly pause: () => Promise<void> },
): Promise<readonly SignalValues[] | undefined> {
  if (examples.length < LEAST_TO_LEARN || folds.length < 2) return undefined;
  const learned: SignalValues[] = [];
  for (const held of folds) {
    const own = new Set(held);
    learned.push(
      await learnFrom(
        examples.filter((one) => !own.has(one)),
        options,
      ),
    );
  }
  return learned;
}

function learnFrom(
  examples: readonly Example[],
  options: { readonly prior: SignalValues; readonly pause: () => Promise<void> },
): Promise<SignalValues> {
  return learnWeights(spreadOver(examples, MOST_TO_LEARN), options);
}

async function askedOf(
  folds: Folds,
  judge: ReturnType<typeof judgeOf>,
  weightsOf: (fold: number) => SignalValues,
): Promise<Choice['asked']> {
  const news = await judge(weightsOf);
  const repeats = folds.flatMap((held, fold) =>
    held.flatMap(({ repeat }) => (repeat ? [qualityOf(repeat, weightsOf(fold))] : [])),
  );
  return {
    news: { requests: news.length, ...meanQuality(news) },
    repeats: { requests: repeats.length, ...meanQuality(repeats) },
  };
}

async function claimsInFolds(
  folds: Folds,
  weightsOf: (fold: number) => SignalValues,
  options: { readonly prior: Calibration; readonly pause: () => Promise<void> },
): Promise<readonly Claim[]> {
  const claims: Claim[] = [];
  for (const [fold, held] of folds.entries()) {
    const others = folds.filter((_, other) => other !== fold).flat();
    const weights = weightsOf(fold);
    const calibration = await calibrate(others, weights, options);
    const each = await mapInSlices(
      held,
      (one) => claimsOf(one, weights, calibration),
      options.pause,
    );
    claims.push(...each.flat());
  }
  return claims;
}

function heldOutOf(judged: Readonly<Record<ModelKind, Judged>>): Record<ModelKind, Quality> {
  return {
    cold: meanQuality(judged.cold),
    memory: meanQuality(judged.memory),
    session: meanQuality(judged.session),
    learned: meanQuality(judged.learned),
    vectors: meanQuality(judged.vectors),
  };
}
