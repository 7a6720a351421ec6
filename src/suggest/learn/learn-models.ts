import type { ExecutionTrace } from '../../core/index.js';
import { type ReliabilityCurve, reliabilityCurve } from '../../learning/index.js';
import { FIT } from './fit-models.js';
import { type HeldOut, judge, learnModel } from './judge-models.js';
import { type HeadsVerdict, learnAttention } from './learn-attention.js';
import { learnConfidence } from './learn-confidence.js';
import { type LearnedPlanFeatures, learnPlanFeatures } from './learn-plan-features.js';
import { DEFAULT_MODELS, FOLLOWER_WEIGHTS, type ModelName, type Models } from './models.js';
import { withPlans } from './planned-examples.js';
import { type PlanExample, replayPlans, type ReplayPorts } from './replay-plans.js';

/** Learned weights, and their quality beside that of the weights that they replace. */
export interface LearnedModels {
  readonly models: Models;
  readonly heldOut: Readonly<Record<ModelName, HeldOut>>;
  /** What trace features add to these weights. */
  readonly features: LearnedPlanFeatures['heldOut'];
  /** Each choice of heads against the smaller one that was in use before; empty if none was tried. */
  readonly heads: readonly HeadsVerdict[];
  readonly examples: number;
  /** How reliable the confidence of plans is that PML made without knowing the answer. */
  readonly reliability: ReliabilityCurve;
}

interface ModelOptions extends ReplayPorts {
  /** The weights without any experience. Default: the shipped weights. */
  readonly shipped?: Models;
}

const LEAST_EXAMPLES = 20;

/**
 * Replays past requests, each with only the knowledge from other requests, and fits the weights that
 * would have answered best. PML uses learned weights only if they do better on held-out requests, by
 * more than chance explains, and better than weights that learned from answers that say nothing.
 */
export async function learnModels(
  traces: Iterable<ExecutionTrace>,
  options: ModelOptions,
): Promise<LearnedModels | undefined> {
  const { pause, shipped = DEFAULT_MODELS } = options;
  const examples = await replayPlans(traces, options);
  if (examples.length < LEAST_EXAMPLES) return undefined;
  const fitting = { shipped, pause };
  const members = await learnModel('members', examples, fitting);
  const prior = options.headPrior?.();
  const { chosen, gates } = prior
    ? await learnAttention(examples, {
        prior,
        membersFor: members.weightsFor,
        fitMembers: (some) => FIT.members(some, fitting),
        pause,
      })
    : { chosen: undefined, gates: [] };
  const membersFor = chosen
    ? ({ fold }: PlanExample) => chosen.members.without(fold)
    : members.weightsFor;
  const links = await learnModel('links', examples, fitting);
  const attended = await withPlans(chosen?.examples ?? examples, { membersFor, pause });
  const next = await learnModel('next', attended, fitting);
  const sure = await learnConfidence(attended, { membersFor, shipped, pause });
  const features = await learnPlanFeatures(attended, {
    membersFor,
    nextFor: next.weightsFor,
    pause,
  });
  return {
    models: {
      members: chosen?.members.all ?? members.weights,
      links: links.weights,
      next: next.heldOut.isBetter ? next.weights : await simplest(attended, fitting),
      confidence: sure.confidence,
      curve: sure.curve,
      ...(chosen && { attention: chosen.attention }),
      ...(features.weights && { features: features.weights }),
    },
    heldOut: {
      members: members.heldOut,
      links: links.heldOut,
      next: next.heldOut,
      confidence: sure.heldOut,
    },
    heads: gates,
    features: features.heldOut,
    examples: examples.length,
    reliability: reliabilityCurve(sure.claims),
  };
}

/**
 * If learned weights for next steps do not win, counts of past followers may beat the shipped
 * weights.
 */
async function simplest(
  examples: readonly PlanExample[],
  { shipped, pause }: { readonly shipped: Models; readonly pause: () => Promise<void> },
): Promise<Float64Array> {
  const { isBetter } = await judge('next', examples, {
    simpler: () => shipped.next,
    candidate: () => FOLLOWER_WEIGHTS,
    pause,
  });
  return isBetter ? FOLLOWER_WEIGHTS : shipped.next;
}
