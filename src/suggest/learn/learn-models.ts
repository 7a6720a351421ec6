import type { ExecutionTrace, ToolId } from '../../core/index.js';
import {
  type ChoiceExample,
  type CrossFitted,
  crossFit,
  fitChoice,
  fitOdds,
  isBetter,
  mean,
} from '../../learning/index.js';
import { confidenceSignals } from '../confidence.js';
import type { Likely } from '../evidence.js';
import { chooseMembers } from '../members/choose-members.js';
import { MEMBER_SIGNALS } from '../members/member-signals.js';
import { type JudgedModel, QUALITY, sureness } from './judge-models.js';
import { DEFAULT_MODELS, FIXED_MEMBERS, type Models } from './models.js';
import { FOLDS, type PlanExample, replayPlans, type ReplayPorts } from './replay-plans.js';

/** How well weights do on executions they were not learned from, from 0 to 1; more is better. */
interface HeldOut {
  /** Those it comes with. */
  readonly before: number;
  readonly learned: number;
}

/** Weights, and how well they and those they replace do. */
export interface LearnedModels {
  readonly models: Models;
  readonly heldOut: Readonly<Record<keyof Models, HeldOut>>;
  readonly examples: number;
}

const LEAST_EXAMPLES = 20;
/** One plan tells only once whether it was right, so the prior counts more. */
const CONFIDENCE_PRIOR = 10;

/**
 * Asks past requests again, each with what the others alone tell, and finds the weights that would have
 * answered them best. Weights that do not do better on requests they were not learned from are not used.
 */
export async function learnModels(
  traces: Iterable<ExecutionTrace>,
  ports: ReplayPorts,
): Promise<LearnedModels | undefined> {
  const { pause } = ports;
  const examples = await replayPlans(traces, ports);
  if (examples.length < LEAST_EXAMPLES) return undefined;
  const fitted = await crossFit(examples, FOLDS, (some) => fitModels(some, pause));
  const judge = async (name: JudgedModel) => judgeModel(name, { examples, fitted, pause });
  const members = await judge('members');
  const links = await judge('links');
  const next = await judge('next');
  // How far plans can be trusted is learned of plans that were made without their own answer.
  const judged = examples.map((one) => {
    const models = bringsMore(members) ? fitted.without(one.fold) : DEFAULT_MODELS;
    return confidenceExample(one, models.members);
  });
  const sure = await crossFit(judged, FOLDS, (some) => fitConfidence(some, pause));
  const confidence = {
    before: mean(judged.map((one) => sureness(one, DEFAULT_MODELS.confidence))),
    learned: mean(judged.map((one) => sureness(one, sure.without(one.fold)))),
  };
  const all = { ...fitted.all, confidence: sure.all };
  const heldOut = { members, links, next, confidence };
  const choose = (name: keyof Models) => (bringsMore(heldOut[name]) ? all : DEFAULT_MODELS)[name];
  return {
    models: {
      members: choose('members'),
      links: choose('links'),
      next: choose('next'),
      confidence: choose('confidence'),
    },
    heldOut,
    examples: examples.length,
  };
}

function bringsMore({ before, learned }: HeldOut): boolean {
  return isBetter(learned, before);
}

type Pause = ReplayPorts['pause'];

async function fitModels(examples: readonly PlanExample[], pause: Pause): Promise<Models> {
  const members = await fitOdds(
    examples.map((one) => one.members),
    {
      prior: DEFAULT_MODELS.members,
      pause,
      isFixed: (at) => FIXED_MEMBERS.has(MEMBER_SIGNALS[at]!),
    },
  );
  const links = await fitOdds(
    examples.flatMap((one) => one.links ?? []),
    { prior: DEFAULT_MODELS.links, pause },
  );
  const next = await fitChoice(
    examples.flatMap((one) => one.next),
    { prior: DEFAULT_MODELS.next, pause },
  );
  return { ...DEFAULT_MODELS, members, links, next };
}

async function fitConfidence(
  examples: readonly ChoiceExample[],
  pause: Pause,
): Promise<Float64Array> {
  return fitOdds(examples, {
    prior: DEFAULT_MODELS.confidence,
    pause,
    priorExamples: CONFIDENCE_PRIOR,
  });
}

interface Judging {
  readonly examples: readonly PlanExample[];
  readonly fitted: CrossFitted<Models>;
  readonly pause: Pause;
}

async function judgeModel(
  name: JudgedModel,
  { examples, fitted, pause }: Judging,
): Promise<HeldOut> {
  const before: number[] = [];
  const learned: number[] = [];
  for (const one of examples) {
    before.push(...QUALITY[name](one, DEFAULT_MODELS));
    learned.push(...QUALITY[name](one, fitted.without(one.fold)));
    await pause();
  }
  return { before: mean(before), learned: mean(learned) };
}

function confidenceExample(
  { fold, evidence, members, plan }: PlanExample,
  weights: Float64Array,
): ChoiceExample & { readonly fold: number } {
  const chosen = chooseMembers(members.weighed, weights);
  return {
    fold,
    candidates: [confidenceSignals(chosen, evidence)],
    isRight: [isSame(chosen.members, plan.tools)],
  };
}

function isSame(members: readonly Likely[], tools: readonly ToolId[]): boolean {
  const wanted = new Set(tools);
  return members.length === wanted.size && members.every(({ tool }) => wanted.has(tool));
}
