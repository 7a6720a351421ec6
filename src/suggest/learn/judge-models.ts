import {
  AGAINST_CONTROL,
  type Certainty,
  comparePaired,
  crossFit,
  f1,
  type GateVerdict,
  mean,
  type PairedAnswer,
  weigh,
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
    return next.map(({ candidates, isRight }) => {
      const scores = candidates.map((signals) => weigh(signals, weights));
      const own = scores[isRight.indexOf(true)]!;
      return 1 / (1 + scores.filter((score) => score > own).length);
    });
  },
};

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
  const refused = heldOut.isBetter
    ? await withoutMerit(name, examples, { learned, fit, pause })
    : undefined;
  if (heldOut.isBetter && !refused) {
    return { weights: fitted.all, weightsFor: learned, heldOut };
  }
  return {
    weights: shipped[name],
    weightsFor: () => shipped[name],
    heldOut: { ...heldOut, ...refused },
  };
}

/** Why the gate stays closed if weights that learned nothing do as well; undefined if they do not. */
async function withoutMerit(
  name: JudgedModel,
  examples: readonly PlanExample[],
  options: {
    readonly learned: WeightsFor;
    readonly fit: (some: readonly PlanExample[]) => Promise<Float64Array>;
    readonly pause: () => Promise<void>;
  },
): Promise<Pick<GateVerdict, 'isBetter' | 'why'> | undefined> {
  const control = await crossFit(MISLED[name](examples), FOLDS, options.fit);
  const merit = await judge(name, examples, {
    simpler: ({ fold }) => control.without(fold),
    candidate: options.learned,
    pause: options.pause,
    certainty: AGAINST_CONTROL,
  });
  if (merit.isBetter) return undefined;
  const why = `not better than control weights, which learned from other requests: ${merit.why}`;
  return { isBetter: false, why };
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
