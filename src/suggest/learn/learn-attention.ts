import {
  type AttentionModel,
  fitHead,
  HEAD_NAMES,
  type HeadName,
  type HeadPrior,
} from '../../attention/index.js';
import {
  comparePaired,
  type CrossFitted,
  crossFit,
  type GateVerdict,
  mean,
} from '../../learning/index.js';
import { memberSignals } from '../members/member-signals.js';
import { procedureOf } from '../past/past-plan.js';
import { planEdge } from '../past/plan-edge.js';
import { QUALITY } from './judge-models.js';
import type { Models } from './models.js';
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
  readonly shipped: Models;
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
  const { pause, membersFor, shipped } = options;
  const gates: HeadsVerdict[] = [];
  if (!isEnough(examples)) return { gates };
  const heads = new Map<HeadName, CrossFitted<Float64Array>>();
  for (const name of HEAD_NAMES) {
    heads.set(name, await crossFit(examples, FOLDS, (some) => fitOne(name, some, options)));
  }
  let chosen: LearnedAttention | undefined;
  let best = await qualities(examples, (one) => ({ ...shipped, members: membersFor(one) }), pause);
  for (const step of STEPS) {
    const attentionFor = (weights: (of: CrossFitted<Float64Array>) => Float64Array) => ({
      heads: step.heads.map((name) => ({ name, weights: weights(heads.get(name)!) })),
      borrows: step.borrows,
    });
    const seen: PlanExample[] = [];
    for (const one of examples) {
      seen.push(
        attendedTo(
          one,
          attentionFor(({ without }) => without(one.fold)),
        ),
      );
      await pause();
    }
    const members = await crossFit(seen, FOLDS, options.fitMembers);
    const own = await qualities(
      seen,
      ({ fold }) => ({ ...shipped, members: members.without(fold) }),
      pause,
    );
    const verdict = comparePaired(
      examples.map(({ plan }, at) => {
        return { group: procedureOf(plan), simpler: best[at]!, candidate: own[at]! };
      }),
    );
    gates.push({ name: step.name, ...verdict, before: mean(best), learned: mean(own) });
    if (!verdict.isBetter) continue;
    chosen = { attention: attentionFor(({ all }) => all), examples: seen, members };
    best = own;
  }
  return { ...(chosen && { chosen }), gates };
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

/** The example as it is for somebody with these heads. */
function attendedTo(one: PlanExample, attention: AttentionModel): PlanExample {
  const wanted = new Set(one.plan.tools);
  const evidence = { ...one.evidence, attention };
  return { ...one, evidence, members: weighed(memberSignals(evidence), (o) => wanted.has(o.tool)) };
}

async function qualities(
  examples: readonly PlanExample[],
  modelsFor: (one: PlanExample) => Models,
  pause: () => Promise<void>,
): Promise<readonly number[]> {
  const all: number[] = [];
  for (const one of examples) {
    all.push(QUALITY.members(one, modelsFor(one))[0]!);
    await pause();
  }
  return all;
}
