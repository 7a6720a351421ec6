import {
  AGAINST_CONTROL,
  type Certainty,
  comparePaired,
  crossFit,
  f1,
  fitWithout,
  type GateVerdict,
  mean,
  type PairedAnswer,
  weigh,
  withControls,
} from '../../learning/index.js';
import { choosePlanLinks } from '../links/choose-links.js';
import { chooseMembers } from '../members/choose-members.js';
import { pairKey, procedureOf } from '../past/past-plan.js';
import { FIT, type FitModelOptions } from './fit-models.js';
import { MISLED } from './misled.js';
import type { JudgedModel } from './models.js';
import { planQuality } from './plan-quality.js';
import { FOLDS, type PlanExample } from './replay-plans.js';

/** How well weights answer an example, from 0 to 1; nothing where the example does not tell. */
export const QUALITY: Readonly<
  Record<JudgedModel, (example: PlanExample, weights: Float64Array) => readonly number[]>
> = {
  members({ members, plan }, weights) {
    const chosen = chooseMembers(members.weighed, weights).members.map(({ tool }) => tool);
    return [planQuality(plan.tools, chosen)];
  },
  /** F1 of the links between the right members. */
  links({ links: example, plan }, weights) {
    if (!example || !plan.flows) return [];
    const { links, broken } = choosePlanLinks(example.weighed, weights);
    return [
      f1(
        plan.flows,
        [...links, ...broken].map(({ from, to }) => pairKey(from, to)),
      ),
    ];
  },
  /** The reciprocal place of what came next, for each step. */
  next({ next }, weights) {
    return next.map((step) =>
      nextQuality(
        step,
        step.candidates.map((signals) => weigh(signals, weights)),
      ),
    );
  },
};

/** The reciprocal place of the right tool by these scores. Equal ones come in the order of predictions. */
export function nextQuality(
  { tools, isRight }: Pick<PlanExample['next'][number], 'tools' | 'isRight'>,
  scores: readonly number[],
): number {
  const right = isRight.indexOf(true);
  const isBefore = (score: number, at: number) =>
    score > scores[right]! || (score === scores[right] && tools[at]! < tools[right]!);
  return 1 / (1 + scores.filter(isBefore).length);
}

type WeightsFor = (example: PlanExample) => Float64Array;

/** The quality of weights on executions that they were not learned from, from 0 to 1. */
export interface HeldOut extends GateVerdict {
  /** The shipped weights. */
  readonly before: number;
  readonly learned: number;
}

/** The weights that a gate chose: learned ones if it is open, else the shipped ones. */
export interface JudgedWeights {
  readonly weights: Float64Array;
  /** The same for an example, learned without that example. */
  readonly weightsFor: WeightsFor;
  readonly heldOut: HeldOut;
}

/**
 * Learns one model and judges it. The gate opens if learned weights beat the shipped ones on held-out
 * requests, and beat weights that learned in the same way from answers that say nothing.
 */
export async function learnModel(
  name: JudgedModel,
  examples: readonly PlanExample[],
  options: FitModelOptions,
): Promise<JudgedWeights> {
  const { shipped, pause } = options;
  const fit = (some: readonly PlanExample[]) => FIT[name](some, options);
  const fitted = await crossFit(examples, FOLDS, fit);
  const learned: WeightsFor = ({ fold }) => fitted.without(fold);
  const heldOut = await judge(name, examples, {
    simpler: () => shipped[name],
    candidate: learned,
    pause,
  });
  const verdict = await withControls(heldOut, async (draw) => {
    const control = await fitWithout(MISLED[name](examples, draw), FOLDS, fit);
    return judge(name, examples, {
      simpler: ({ fold }) => control(fold),
      candidate: learned,
      pause,
      certainty: AGAINST_CONTROL,
    });
  });
  return verdict.isBetter
    ? { weights: fitted.all, weightsFor: learned, heldOut: verdict }
    : { weights: shipped[name], weightsFor: () => shipped[name], heldOut: verdict };
}

interface JudgeOptions {
  readonly simpler: WeightsFor;
  readonly candidate: WeightsFor;
  readonly pause: () => Promise<void>;
  readonly certainty?: Certainty;
}

/** However often and in whatever words a procedure was asked for, it is one witness. */
export async function judge(
  name: JudgedModel,
  examples: readonly PlanExample[],
  { simpler, candidate, pause, certainty }: JudgeOptions,
): Promise<HeldOut> {
  const answers: PairedAnswer[] = [];
  for (const one of examples) {
    const before = QUALITY[name](one, simpler(one));
    const after = QUALITY[name](one, candidate(one));
    before.forEach((value, at) => {
      answers.push({ group: procedureOf(one.plan), simpler: value, candidate: after[at]! });
    });
    await pause();
  }
  return {
    ...comparePaired(answers, certainty),
    before: mean(answers.map((one) => one.simpler)),
    learned: mean(answers.map((one) => one.candidate)),
  };
}
