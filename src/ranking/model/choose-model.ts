import {
  calibrate,
  foldsOf,
  isBetter,
  measure,
  type Quality,
  worth,
} from '../../learning/index.js';
import type { SignalValues } from '../signals.js';
import { type Example, learnWeights } from './learn-weights.js';
import {
  COLD_MODEL,
  defaultCalibration,
  MEMORY_MODEL,
  type Model,
  SESSION_MODEL,
} from './model.js';

/** Words and meaning; past requests too; what was just called as well; weights of its own. */
export const MODEL_KINDS = ['cold', 'memory', 'session', 'learned'] as const;

export type ModelKind = (typeof MODEL_KINDS)[number];

/** A model and the measurement that justifies it: on requests it has not learned from. */
export interface Choice {
  readonly kind: ModelKind;
  readonly model: Model;
  readonly heldOut: Readonly<Record<ModelKind, Quality>>;
  readonly examples: number;
}

export interface ChooseOptions {
  /** How many tools there are to choose from. Default: a usual number. */
  readonly tools?: number;
  readonly pause: () => Promise<void>;
}

/** Fewer past requests than this say too little; then words and meaning decide alone. */
const LEAST_EXAMPLES = 5;
/** Fewer than this are enough to judge a model, but not to learn one from. */
const LEAST_TO_LEARN = 20;
const FOLDS = 4;

/**
 * Replays past requests, each as if its own group had never been, and takes the model that answers
 * them best. Learned weights are judged only on requests they were not learned from.
 */
export async function chooseModel(
  examples: readonly Example[],
  { tools, pause }: ChooseOptions,
): Promise<Choice | undefined> {
  if (examples.length < LEAST_EXAMPLES) return undefined;
  const canLearn = examples.length >= LEAST_TO_LEARN;
  const folds = foldsOf(examples, FOLDS);
  const judge = async (weightsOf: (fold: number) => SignalValues): Promise<Quality> => {
    await pause();
    return measure(
      folds.flatMap((held, fold) => held.map((one) => ({ one, weights: weightsOf(fold) }))),
    );
  };
  const given = {
    cold: await judge(() => COLD_MODEL.weights),
    memory: await judge(() => MEMORY_MODEL.weights),
    session: await judge(() => SESSION_MODEL.weights),
  };
  const before = bestGiven(given);
  const { weights: prior } = before === 'session' ? SESSION_MODEL : MEMORY_MODEL;
  const learnedInFolds: SignalValues[] = [];
  for (const held of folds) {
    const others = examples.filter((example) => !held.includes(example));
    learnedInFolds.push(canLearn ? await learnWeights(others, { prior, pause }) : prior);
  }
  const heldOut = { ...given, learned: await judge((fold) => learnedInFolds[fold]!) };
  await pause();
  const isLearnedBetter = canLearn && bringsMore(heldOut.learned, heldOut[before]);
  const kind = isLearnedBetter ? 'learned' : before;
  const model =
    kind === 'learned'
      ? { weights: await learnWeights(examples, { prior, pause }) }
      : GIVEN_MODELS[kind];
  await pause();
  const calibration = await calibrate(examples, model.weights, {
    prior: defaultCalibration(tools),
    pause,
  });
  return { kind, model: { ...model, calibration }, heldOut, examples: examples.length };
}

const GIVEN_MODELS = { cold: COLD_MODEL, memory: MEMORY_MODEL, session: SESSION_MODEL };

/** Each must bring something that those before it do not. */
function bestGiven(heldOut: Record<keyof typeof GIVEN_MODELS, Quality>) {
  const first = bringsMore(heldOut.memory, heldOut.cold) ? 'memory' : 'cold';
  return bringsMore(heldOut.session, heldOut[first]) ? 'session' : first;
}

function bringsMore(one: Quality, other: Quality): boolean {
  return isBetter(worth(one), worth(other));
}
