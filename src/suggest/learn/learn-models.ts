import type { ExecutionTrace } from '../../core/index.js';
import {
  comparePaired,
  type CrossFitted,
  crossFit,
  fitChoice,
  fitOdds,
  type GateVerdict,
  likeliest,
  mean,
  type PairedAnswer,
  type ReliabilityCurve,
  reliabilityCurve,
  weigh,
} from '../../learning/index.js';
import { MEMBER_SIGNALS } from '../members/member-signals.js';
import { procedureOf } from '../past/past-plan.js';
import { type JudgedModel, QUALITY } from './judge-models.js';
import { type HeadsVerdict, learnAttention } from './learn-attention.js';
import { learnConfidence } from './learn-confidence.js';
import { type LearnedPlanFeatures, learnPlanFeatures } from './learn-plan-features.js';
import {
  DEFAULT_MODELS,
  FIXED_MEMBERS,
  FOLLOWER_WEIGHTS,
  type ModelName,
  type Models,
} from './models.js';
import { FOLDS, type PlanExample, replayPlans, type ReplayPorts } from './replay-plans.js';

/** The quality of weights on executions that they were not learned from, from 0 to 1. */
interface HeldOut extends GateVerdict {
  /** The shipped weights. */
  readonly before: number;
  readonly learned: number;
}

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
 * As if so many procedures spoke for the weights it comes with: runs of one procedure in other words
 * teach hardly more than one of them.
 */
const PRIOR_PROCEDURES = { members: 4, links: 3 };
/** The same in steps. */
const PRIOR_STEPS = 20;
/** So many candidates of a next step are fitted, by the shipped weights. */
const MOST_FITTED_STEPS = 40;

/**
 * Replays past requests, each with only the knowledge from other requests, and fits the weights that
 * would have answered best. PML uses learned weights only if they do better on held-out requests, by
 * more than chance explains.
 */
export async function learnModels(
  traces: Iterable<ExecutionTrace>,
  options: ModelOptions,
): Promise<LearnedModels | undefined> {
  const { pause, shipped = DEFAULT_MODELS } = options;
  const examples = await replayPlans(traces, options);
  if (examples.length < LEAST_EXAMPLES) return undefined;
  const fitted = await crossFit(examples, FOLDS, (some) => fitModels(some, shipped, pause));
  const judging = { examples, fitted, shipped, pause };
  const members = await judgeModel('members', judging);
  const asIs = ({ fold }: PlanExample) =>
    (members.isBetter ? fitted.without(fold) : shipped).members;
  const prior = options.headPrior?.();
  const { chosen, gates } = prior
    ? await learnAttention(examples, {
        prior,
        membersFor: asIs,
        fitMembers: (some) => fitMembers(some, shipped, pause),
        shipped,
        pause,
      })
    : { chosen: undefined, gates: [] };
  const links = await judgeModel('links', judging);
  const next = await judgeModel('next', judging);
  const attended = chosen?.examples ?? examples;
  const membersFor = chosen ? ({ fold }: PlanExample) => chosen.members.without(fold) : asIs;
  const sure = await learnConfidence(attended, { membersFor, shipped, pause });
  const features = await learnPlanFeatures(attended, {
    membersFor,
    nextFor: ({ fold }) => (next.isBetter ? fitted.without(fold) : shipped).next,
    pause,
  });
  const choose = <Name extends JudgedModel>(name: Name, judged: HeldOut) => {
    return (judged.isBetter ? fitted.all : shipped)[name];
  };
  return {
    models: {
      members: chosen?.members.all ?? choose('members', members),
      links: choose('links', links),
      next: next.isBetter ? fitted.all.next : await simplest(judging),
      confidence: sure.confidence,
      curve: sure.curve,
      ...(chosen && { attention: chosen.attention }),
      ...(features.weights && { features: features.weights }),
    },
    heldOut: { members, links, next, confidence: sure.heldOut },
    heads: gates,
    features: features.heldOut,
    examples: examples.length,
    reliability: reliabilityCurve(sure.claims),
  };
}

type Pause = ReplayPorts['pause'];

async function fitModels(
  examples: readonly PlanExample[],
  shipped: Models,
  pause: Pause,
): Promise<Models> {
  const examplesEach = examplesOfAProcedure(examples);
  const members = await fitMembers(examples, shipped, pause);
  const links = await fitOdds(
    examples.flatMap((one) => one.links ?? []),
    { prior: shipped.links, pause, priorExamples: PRIOR_PROCEDURES.links * examplesEach },
  );
  const next = await fitChoice(
    examples.flatMap((one) =>
      one.next.map((step) =>
        likeliest(step, (values) => weigh(values, shipped.next), MOST_FITTED_STEPS),
      ),
    ),
    { prior: shipped.next, pause, priorExamples: PRIOR_STEPS },
  );
  return { ...shipped, members, links, next };
}

/** Of signals that the shipped weights do not have, as of those of heads, the prior is 0. */
async function fitMembers(
  examples: readonly PlanExample[],
  shipped: Models,
  pause: Pause,
): Promise<Float64Array> {
  const signals = examples[0]?.members.candidates[0]?.length ?? 0;
  const prior = new Float64Array(Math.max(signals, shipped.members.length));
  prior.set(shipped.members);
  return fitOdds(
    examples.map((one) => one.members),
    {
      prior,
      pause,
      isFixed: (at) => FIXED_MEMBERS.has(MEMBER_SIGNALS[at] ?? ''),
      priorExamples: PRIOR_PROCEDURES.members * examplesOfAProcedure(examples),
    },
  );
}

function examplesOfAProcedure(examples: readonly PlanExample[]): number {
  const procedures = new Set(examples.map(({ plan }) => procedureOf(plan))).size;
  return examples.length / Math.max(1, procedures);
}

interface Judging {
  readonly examples: readonly PlanExample[];
  readonly fitted: CrossFitted<Models>;
  readonly shipped: Models;
  readonly pause: Pause;
}

async function judgeModel(
  name: JudgedModel,
  { examples, fitted, shipped, pause }: Judging,
): Promise<HeldOut> {
  return heldOutOf(
    await pairedAnswers(examples, pause, (one) => ({
      simpler: QUALITY[name](one, shipped),
      candidate: QUALITY[name](one, fitted.without(one.fold)),
    })),
  );
}

/**
 * If learned weights for next steps do not win, counts of past followers may beat the shipped
 * weights.
 */
async function simplest({ examples, shipped, pause }: Judging): Promise<Float64Array> {
  const followers = { ...shipped, next: FOLLOWER_WEIGHTS };
  const answers = await pairedAnswers(examples, pause, (one) => ({
    simpler: QUALITY.next(one, shipped),
    candidate: QUALITY.next(one, followers),
  }));
  return comparePaired(answers).isBetter ? FOLLOWER_WEIGHTS : shipped.next;
}

/** However often and in whatever words a procedure was asked for, it is one witness. */
async function pairedAnswers(
  examples: readonly PlanExample[],
  pause: Pause,
  answer: (one: PlanExample) => Readonly<Record<'simpler' | 'candidate', readonly number[]>>,
): Promise<readonly PairedAnswer[]> {
  const answers: PairedAnswer[] = [];
  for (const one of examples) {
    const { simpler, candidate } = answer(one);
    simpler.forEach((value, at) => {
      answers.push({ group: procedureOf(one.plan), simpler: value, candidate: candidate[at]! });
    });
    await pause();
  }
  return answers;
}

function heldOutOf(answers: readonly PairedAnswer[]): HeldOut {
  return {
    ...comparePaired(answers),
    before: mean(answers.map(({ simpler }) => simpler)),
    learned: mean(answers.map(({ candidate }) => candidate)),
  };
}
