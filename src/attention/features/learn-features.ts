import {
  AGAINST_CONTROL,
  assignFolds,
  type ChoiceExample,
  comparePaired,
  crossFit,
  fitChoice,
  fitOdds,
  fitWithout,
  type GateVerdict,
  likeliest,
  mapInSlices,
  mean,
  type PairedAnswer,
  weigh,
  withControls,
} from '../../learning/index.js';
import { type FeatureValues, TRACE_FEATURES } from './feature-names.js';

/** A past decision, replayed: what was said of each candidate without features, and its features. */
export interface FeatureExample {
  /** Examples of one group count as one observation and are never on both sides of a fold. */
  readonly group: string;
  readonly scores: readonly number[];
  readonly features: readonly FeatureValues[];
  readonly isRight: readonly boolean[];
  /** How good the decision is with other scores, from 0 to 1. */
  readonly quality: (scores: readonly number[]) => number;
}

export interface LearnedFeatures {
  /** Undefined: the gate is closed, and answers are as they were. */
  readonly weights: FeatureValues | undefined;
  readonly verdict: GateVerdict & { readonly before: number; readonly learned: number };
  /** The quality of each example without features and with them; empty if none were tried. */
  readonly answers: readonly PairedAnswer[];
}

export interface FeatureLearning {
  /** `odds`: each candidate for itself; `choice`: one of all. */
  readonly fit: 'odds' | 'choice';
  /**
   * For each example, in order, which candidates an answer names that says nothing about it; other answers
   * for each draw. Features that learned from these are a control: they know which tools are usual.
   */
  readonly misled: (draw: number) => readonly (readonly boolean[])[];
  readonly pause: () => Promise<void>;
}

const FOLDS = 3;
/** As if so many examples said that features say nothing. */
const PRIOR_EXAMPLES = 10;
const LEAST_EXAMPLES = 20;
/** What differs by less between the candidates of an example cannot decide between them. */
const LEAST_DIFFERENCE = 1e-6;

/**
 * Fits how much each feature adds to scores that stay as they are. Features count only if they do
 * better on examples that they were not fitted to, by more than chance explains, and better than features
 * that learned from answers that say nothing.
 */
export async function learnFeatures(
  examples: readonly FeatureExample[],
  { fit, misled, pause }: FeatureLearning,
): Promise<LearnedFeatures> {
  const isConstant = await constantFeatures(examples, pause);
  if (examples.length < LEAST_EXAMPLES || isConstant.every(Boolean)) return closed(examples);
  const foldOf = assignFolds(
    examples.map(({ group }) => group),
    FOLDS,
  );
  const placed = await mapInSlices(
    examples,
    (one) => ({ ...asChoice(one), one, fold: foldOf.get(one.group)! }),
    pause,
  );
  const prior = Float64Array.from([1, ...TRACE_FEATURES], (_, at) => (at === 0 ? 1 : 0));
  const likely = (one: ChoiceExample) => likeliest(one, (values) => values[0]!, MOST_FITTED);
  const fitTo = async (some: readonly ChoiceExample[]) =>
    (fit === 'odds' ? fitOdds : fitChoice)(await mapInSlices(some, likely, pause), {
      prior,
      pause,
      priorExamples: PRIOR_EXAMPLES,
      isFixed: (at) => at === 0 || isConstant[at - 1]!,
    });
  const judged = (without: (fold: number) => Float64Array) =>
    mapInSlices(
      placed,
      ({ one, candidates, fold }) =>
        one.quality(candidates.map((values) => weigh(values, without(fold)))),
      pause,
    );
  const fitted = await crossFit(placed, FOLDS, fitTo);
  const learned = await judged(fitted.without);
  const against = (simpler: readonly number[]) =>
    placed.map(({ one: { group } }, at): PairedAnswer => {
      return { group, simpler: simpler[at]!, candidate: learned[at]! };
    });
  const answers = against(
    await mapInSlices(examples, ({ quality, scores }) => quality(scores), pause),
  );
  const gain = {
    ...comparePaired(answers),
    before: mean(answers.map(({ simpler }) => simpler)),
    learned: mean(learned),
  };
  const verdict = await withControls(gain, async (draw) => {
    const others = misled(draw);
    if (!others.some((isRight) => isRight.includes(true))) return undefined;
    const control = placed.map((one, at) => ({ ...one, isRight: others[at]! }));
    const without = await fitWithout(control, FOLDS, fitTo);
    return comparePaired(against(await judged(without)), AGAINST_CONTROL);
  });
  return { weights: verdict.isBetter ? fitted.all.slice(1) : undefined, verdict, answers };
}

/** So many candidates of an example are fitted. */
const MOST_FITTED = 60;

function asChoice({ scores, features, isRight }: FeatureExample): ChoiceExample {
  const candidates = scores.map((score, at) => Float64Array.from([score, ...features[at]!]));
  return { candidates, isRight };
}

/** For each feature whether it is the same for all candidates of every example. */
async function constantFeatures(
  examples: readonly FeatureExample[],
  pause: () => Promise<void>,
): Promise<readonly boolean[]> {
  const isConstant = TRACE_FEATURES.map(() => true);
  for (const { features } of examples) {
    const first = features[0];
    for (let at = 0; first && at < isConstant.length; at++) {
      isConstant[at] &&= features.every(
        (values) => Math.abs(values[at]! - first[at]!) < LEAST_DIFFERENCE,
      );
    }
    await pause();
  }
  return isConstant;
}

function closed(examples: readonly FeatureExample[]): LearnedFeatures {
  const before = mean(examples.map(({ quality, scores }) => quality(scores)));
  const groups = new Set(examples.map(({ group }) => group)).size;
  const why =
    examples.length < LEAST_EXAMPLES
      ? `${examples.length} past requests prove nothing yet`
      : 'past runs tell nothing that differs between tools';
  const none = { isBetter: false, gain: 0, error: 0, answers: examples.length, groups, why };
  return { weights: undefined, verdict: { ...none, before, learned: before }, answers: [] };
}
