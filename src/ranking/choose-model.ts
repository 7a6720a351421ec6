import { calibrate } from './calibrate.js';
import { type Example, learnWeights } from './learn-weights.js';
import { COLD_MODEL, defaultCalibration, MEMORY_MODEL, type Model } from './model.js';
import { measure, type Quality, worth } from './quality.js';
import type { SignalValues } from './signals.js';

export type ModelKind = 'cold' | 'memory' | 'learned';

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
/** What experience must bring before it is listened to. */
const MARGIN = 0.003;

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
  const prior = MEMORY_MODEL.weights;
  const folds = foldsOf(examples);
  const learnedInFolds: SignalValues[] = [];
  for (const held of folds) {
    const others = examples.filter((example) => !held.includes(example));
    learnedInFolds.push(canLearn ? await learnWeights(others, { prior, pause }) : prior);
  }
  const judge = async (weightsOf: (fold: number) => SignalValues): Promise<Quality> => {
    await pause();
    return measure(
      folds.flatMap((held, fold) => held.map((one) => ({ one, weights: weightsOf(fold) }))),
    );
  };
  const heldOut = {
    cold: await judge(() => COLD_MODEL.weights),
    memory: await judge(() => prior),
    learned: await judge((fold) => learnedInFolds[fold]!),
  };
  await pause();
  const kind = bestKind(heldOut, canLearn);
  const weights = kind === 'learned' ? await learnWeights(examples, { prior, pause }) : undefined;
  const model = modelOf(kind, weights);
  await pause();
  const calibration = await calibrate(examples, model.weights, {
    prior: defaultCalibration(tools),
    pause,
  });
  return { kind, model: { ...model, calibration }, heldOut, examples: examples.length };
}

function bestKind(heldOut: Record<ModelKind, Quality>, canLearn: boolean): ModelKind {
  const memory = worth(heldOut.memory) > worth(heldOut.cold) + MARGIN ? 'memory' : 'cold';
  const isLearnedBetter = worth(heldOut.learned) > worth(heldOut[memory]) + MARGIN;
  return canLearn && isLearnedBetter ? 'learned' : memory;
}

function modelOf(kind: ModelKind, learned: SignalValues | undefined): Model {
  if (kind === 'cold') return COLD_MODEL;
  return learned ? { ...MEMORY_MODEL, weights: learned } : MEMORY_MODEL;
}

/** Groups stay together; which fold a group is in depends on its place alone. */
export function foldsOf(examples: readonly Example[]): readonly (readonly Example[])[] {
  const groups = [...new Set(examples.map(({ group }) => group))];
  const foldOf = new Map(groups.map((group, place) => [group, place % FOLDS]));
  const folds = Array.from({ length: FOLDS }, (_, fold) =>
    examples.filter(({ group }) => foldOf.get(group) === fold),
  );
  return folds.filter((fold) => fold.length > 0);
}
