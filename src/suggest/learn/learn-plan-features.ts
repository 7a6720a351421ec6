import {
  type FeatureExample,
  type FeatureValues,
  learnFeatures,
  type LearnedFeatures,
} from '../../attention/index.js';
import type { ToolId } from '../../core/index.js';
import { mapInSlices, spreadOver, weigh } from '../../learning/index.js';
import { type FeatureWeights, memberFeatures, nextFeatures } from '../feature-scores.js';
import { chooseMembers } from '../members/choose-members.js';
import { procedureOf } from '../past/past-plan.js';
import { nextQuality } from './judge-models.js';
import { MISLED } from './misled.js';
import { planQuality } from './plan-quality.js';
import type { PlanExample } from './replay-plans.js';

interface FeatureOptions {
  /** Weights for an example, learned without that example. */
  readonly membersFor: (example: PlanExample) => Float64Array;
  readonly nextFor: (example: PlanExample) => Float64Array;
  readonly pause: () => Promise<void>;
}

export interface LearnedPlanFeatures {
  /** Missing if no gate is open. */
  readonly weights?: FeatureWeights;
  readonly heldOut: Readonly<Record<keyof FeatureWeights, LearnedFeatures['verdict']>>;
}

/** More steps take longer and teach no more. */
const MOST_STEPS = 400;

/** Learns what trace features add to weights that are learned already. */
export async function learnPlanFeatures(
  examples: readonly PlanExample[],
  { membersFor, nextFor, pause }: FeatureOptions,
): Promise<LearnedPlanFeatures> {
  const traced = examples.filter(({ evidence }) => memberFeatures(evidence));
  const members = await learnFeatures(await memberExamples(traced, membersFor, pause), {
    fit: 'odds',
    misled: (draw) => MISLED.members(traced, draw).map((one) => one.members.isRight),
    pause,
  });
  const stepsOf = (some: readonly PlanExample[]) =>
    spreadOver(
      some.flatMap((one) => one.next.map((step) => ({ one, step }))),
      MOST_STEPS,
    );
  const ofNext = await mapInSlices(
    stepsOf(traced),
    ({ one, step }) => nextExample(one, step, nextFor(one)),
    pause,
  );
  const next = await learnFeatures(ofNext.flat(), {
    fit: 'choice',
    misled: (draw) => stepsOf(MISLED.next(traced, draw)).map(({ step }) => step.isRight),
    pause,
  });
  return {
    ...((members.weights ?? next.weights) && {
      weights: {
        ...(members.weights && { members: members.weights }),
        ...(next.weights && { next: next.weights }),
      },
    }),
    heldOut: { members: members.verdict, next: next.verdict },
  };
}

/** Members of past plans, each with what features say of it. */
export async function memberExamples(
  examples: readonly PlanExample[],
  membersFor: FeatureOptions['membersFor'],
  pause: () => Promise<void>,
): Promise<readonly FeatureExample[]> {
  const each = await mapInSlices(examples, (one) => memberExample(one, membersFor(one)), pause);
  return each.flat();
}

function memberExample(example: PlanExample, weights: Float64Array): readonly FeatureExample[] {
  const { evidence, members, plan } = example;
  const featuresOf = memberFeatures(evidence);
  if (!featuresOf) return [];
  const { weighed, isRight } = members;
  const scores = weighed.map(({ signals }) => weigh(signals, weights));
  return [
    {
      group: procedureOf(plan),
      scores,
      features: weighed.map(({ tool }): FeatureValues => featuresOf(tool)),
      isRight,
      quality: (changed) => {
        const more = new Map(weighed.map(({ tool }, at) => [tool, changed[at]! - scores[at]!]));
        const chosen = chooseMembers(weighed, weights, (tool: ToolId) => more.get(tool)!);
        return planQuality(
          plan.tools,
          chosen.members.map(({ tool }) => tool),
        );
      },
    },
  ];
}

function nextExample(
  { evidence, plan }: PlanExample,
  step: PlanExample['next'][number],
  weights: Float64Array,
): readonly FeatureExample[] {
  const { done, tools, candidates, isRight } = step;
  const featuresOf = nextFeatures(done, evidence);
  if (!featuresOf) return [];
  return [
    {
      group: procedureOf(plan),
      scores: candidates.map((signals) => weigh(signals, weights)),
      features: tools.map((tool) => featuresOf(tool)),
      isRight,
      quality: (scores) => nextQuality(step, scores),
    },
  ];
}
