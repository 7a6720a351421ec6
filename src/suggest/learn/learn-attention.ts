import {
  type AttentionModel,
  fitHead,
  HEAD_NAMES,
  type HeadName,
  type HeadPrior,
} from '../../attention/index.js';
import {
  AGAINST_CONTROL,
  type Certainty,
  comparePaired,
  type CrossFitted,
  crossFit,
  type GateVerdict,
  mean,
  withControls,
} from '../../learning/index.js';
import { memberSignals } from '../members/member-signals.js';
import { procedureOf } from '../past/past-plan.js';
import { planEdge } from '../past/plan-edge.js';
import { QUALITY } from './judge-models.js';
import { withOtherRuns } from './misled.js';
import { FOLDS, type PlanExample, weighed } from './replay-plans.js';

/** What may be in use, from the smallest to the largest. Each has all that those before it have. */
const STEPS = [
  { name: 'about', heads: ['about'], borrows: false },
  { name: 'heads', heads: HEAD_NAMES, borrows: false },
  { name: 'borrowing', heads: HEAD_NAMES, borrows: true },
] as const satisfies readonly {
  readonly name: string;
  readonly heads: readonly HeadName[];
  readonly borrows: boolean;
}[];

const LEAST_EXAMPLES = 60;
const LEAST_PROCEDURES = 8;

/** A choice of heads against a smaller one, on requests that neither was learned from. */
export interface HeadsVerdict extends GateVerdict {
  readonly name: (typeof STEPS)[number]['name'];
  readonly before: number;
  readonly learned: number;
}

export interface LearnedAttention {
  readonly attention: AttentionModel;
  /** The examples as the heads in use see them. */
  readonly examples: readonly PlanExample[];
  readonly members: CrossFitted<Float64Array>;
}

interface AttentionOptions {
  readonly prior: HeadPrior;
  /** Member weights for an example without heads, learned without that example. */
  readonly membersFor: (example: PlanExample) => Float64Array;
  /** Learns member weights; the prior of head signals is 0. */
  readonly fitMembers: (examples: readonly PlanExample[]) => Promise<Float64Array>;
  readonly pause: () => Promise<void>;
}

/**
 * Learns what heads attend to, and how much their votes count. The smallest choice of heads stays that
 * no larger one beats on held-out requests, by more than chance explains; at first that is no head.
 */
export async function learnAttention(
  examples: readonly PlanExample[],
  options: AttentionOptions,
): Promise<{ readonly chosen?: LearnedAttention; readonly gates: readonly HeadsVerdict[] }> {
  const { pause, membersFor } = options;
  const gates: HeadsVerdict[] = [];
  if (!isEnough(examples)) return { gates };
  const heads = await fitHeads(examples, options);
  let chosen: LearnedAttention | undefined;
  let best = await qualities(examples, membersFor, pause);
  const misled = new Map<number, FittedHeads>();
  for (const step of STEPS) {
    const own = await tried(examples, { step, heads }, options);
    const verdict = await withControls(
      compared(examples, best, own.qualities),
      // What votes bring although heads learned nothing about requests is no merit of attention.
      async (draw) => {
        const other = misled.get(draw) ?? (await fitHeads(withOtherRuns(examples, draw), options));
        misled.set(draw, other);
        const control = await tried(examples, { step, heads: other }, options);
        return compared(examples, control.qualities, own.qualities, AGAINST_CONTROL);
      },
    );
    gates.push({ name: step.name, ...verdict, before: mean(best), learned: mean(own.qualities) });
    if (!verdict.isBetter) continue;
    chosen = {
      attention: modelOf(step, heads, ({ all }) => all),
      examples: own.examples,
      members: own.members,
    };
    best = own.qualities;
  }
  return { ...(chosen && { chosen }), gates };
}

type Step = (typeof STEPS)[number];
type FittedHeads = ReadonlyMap<HeadName, CrossFitted<Float64Array>>;

function modelOf(
  { heads, borrows }: Step,
  fitted: FittedHeads,
  weightsOf: (of: CrossFitted<Float64Array>) => Float64Array,
): AttentionModel {
  return {
    heads: heads.map((name) => ({ name, weights: weightsOf(fitted.get(name)!) })),
    borrows,
  };
}

async function fitHeads(
  examples: readonly PlanExample[],
  options: AttentionOptions,
): Promise<FittedHeads> {
  const heads = new Map<HeadName, CrossFitted<Float64Array>>();
  for (const name of HEAD_NAMES) {
    heads.set(name, await crossFit(examples, FOLDS, (some) => fitOne(name, some, options)));
  }
  return heads;
}

interface Tried extends Pick<LearnedAttention, 'examples' | 'members'> {
  /** Of each example, with weights that were learned without it. */
  readonly qualities: readonly number[];
}

/** Learns how much the votes of heads count, and how well plans are made with them. */
async function tried(
  examples: readonly PlanExample[],
  { step, heads }: { readonly step: Step; readonly heads: FittedHeads },
  { fitMembers, pause }: AttentionOptions,
): Promise<Tried> {
  const seen: PlanExample[] = [];
  for (const one of examples) {
    seen.push(
      attendedTo(
        one,
        modelOf(step, heads, ({ without }) => without(one.fold)),
      ),
    );
    await pause();
  }
  const members = await crossFit(seen, FOLDS, fitMembers);
  const membersFor = ({ fold }: PlanExample) => members.without(fold);
  return { examples: seen, members, qualities: await qualities(seen, membersFor, pause) };
}

function compared(
  examples: readonly PlanExample[],
  simpler: readonly number[],
  candidate: readonly number[],
  certainty?: Certainty,
): GateVerdict {
  const answers = examples.map(({ plan }, at) => {
    return { group: procedureOf(plan), simpler: simpler[at]!, candidate: candidate[at]! };
  });
  return comparePaired(answers, certainty);
}

/** Whether the gate could open at all: with fewer examples so many weights fit anything. */
function isEnough(examples: readonly PlanExample[]): boolean {
  const procedures = new Set(examples.map(({ plan }) => procedureOf(plan))).size;
  return examples.length >= LEAST_EXAMPLES && procedures >= LEAST_PROCEDURES;
}

function fitOne(
  name: HeadName,
  examples: readonly PlanExample[],
  { prior, pause }: AttentionOptions,
): Promise<Float64Array> {
  const answered = examples.map(({ evidence: { likely, runs }, plan }) => {
    const right = new Set(planEdge({ ...plan, ok: true })?.anchors[name]);
    return { tools: likely, runs, right };
  });
  return fitHead(name, answered, { ...prior, pause });
}

/** The example as it is with these heads. */
function attendedTo(one: PlanExample, attention: AttentionModel): PlanExample {
  const wanted = new Set(one.plan.tools);
  const evidence = { ...one.evidence, attention };
  const members = weighed(memberSignals(evidence), ({ tool }) => wanted.has(tool));
  return { ...one, evidence, members };
}

async function qualities(
  examples: readonly PlanExample[],
  membersFor: (one: PlanExample) => Float64Array,
  pause: () => Promise<void>,
): Promise<readonly number[]> {
  const all: number[] = [];
  for (const one of examples) {
    all.push(QUALITY.members(one, membersFor(one))[0]!);
    await pause();
  }
  return all;
}
