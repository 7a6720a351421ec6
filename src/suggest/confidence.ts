import { predictPathSuccess } from '../attention/index.js';
import type { ToolId } from '../core/index.js';
import { logOdds, sigmoid, weigh } from '../learning/index.js';
import type { Evidence } from './evidence.js';
import { type ConfidenceCurve, correctedBy } from './learn/confidence-curve.js';
import type { WeighedMember } from './members/choose-members.js';
import { MEMBER_SIGNALS } from './members/member-signals.js';
import { isJust } from './past/past-plan.js';
import { undoneShare } from './undone-work.js';

/** What tells how far the members of a suggested plan can be trusted. In this order. */
export const CONFIDENCE_SIGNALS = [
  'bias',
  /** That all members are wanted and nothing else is, were they independent, as log-odds. */
  'whole',
  /** The share of like runs that had just these members, as far as they can be trusted, as log-odds. */
  'agreement',
  /** Whether the request asks for a change that no member makes. */
  'undone',
  /** Below 0 when steps fail more often than usual: how much less likely the path succeeds. */
  'success',
] as const;

/** What of chosen members tells. */
interface Judged {
  readonly members: readonly WeighedMember[];
  /** Likeliest first. */
  readonly others: readonly WeighedMember[];
}

type Judging = Pick<Evidence, 'intent' | 'similar' | 'trust' | 'repeated' | 'plans' | 'features'>;

export interface ConfidenceModel {
  /** Of the members; one for each of `MEMBER_SIGNALS`. */
  readonly members: Float64Array;
  /** One for each of `CONFIDENCE_SIGNALS`. */
  readonly confidence: Float64Array;
  readonly curve: ConfidenceCurve;
}

const WHOLE = { least: 0.001, most: 0.999 };
const AGREEMENT = { least: 0.02, most: 0.98 };
/** So many procedures more, and half of what like runs agree on would have been agreed on anyway. */
const FEW_PROCEDURES = 1;
/** Of requests that were nearly the same, about three of four wanted just the same tools. */
const NEARLY_REPEATED = 0.8;

/** One number for each of `CONFIDENCE_SIGNALS`. */
export function confidenceSignals(
  { members, others }: Judged,
  evidence: Judging,
  weights: Float64Array,
): Float64Array {
  const tools = new Set(members.map(({ tool }) => tool));
  const chanceOf = chancesBy(evidence, weights);
  const whole =
    members.length === 0
      ? 0
      : members.reduce((product, one) => product * chanceOf(one), 1) *
        others.reduce((product, one) => product * (1 - chanceOf(one)), 1);
  const { procedures } = evidence.plans;
  const values: Record<(typeof CONFIDENCE_SIGNALS)[number], number> = {
    bias: 1,
    whole: logOdds(whole, WHOLE),
    // Where only one thing was ever done, all runs agree on it, whatever is asked.
    agreement: logOdds(
      (evidence.trust * agreeing(tools, evidence.similar) * procedures) /
        (procedures + FEW_PROCEDURES),
      AGREEMENT,
    ),
    undone: undoneShare(tools, evidence),
    success: lostSuccess(tools, evidence),
  };
  return Float64Array.from(CONFIDENCE_SIGNALS, (signal) => values[signal]);
}

function lostSuccess(tools: ReadonlySet<ToolId>, { features }: Judging): number {
  const path = features && predictPathSuccess({ steps: [...tools], links: [] }, features);
  return path ? Math.log(path.againstUsual) : 0;
}

/** That the members of a plan are just those that are wanted. */
export function membersConfidence(
  chosen: Judged,
  evidence: Judging,
  { members, confidence, curve }: ConfidenceModel,
): number {
  // A plan of nothing is never what is wanted.
  if (chosen.members.length === 0) return 0;
  const odds = weigh(confidenceSignals(chosen, evidence, members), confidence);
  return limited(correctedBy(curve, sigmoid(odds)), evidence);
}

/** A request that is nearly one of before may well want something else. */
export function limited(confidence: number, { repeated }: Pick<Evidence, 'repeated'>): number {
  return isNearly(repeated) ? Math.min(confidence, NEARLY_REPEATED) : confidence;
}

/**
 * The probability that a whole plan is what was wanted: its members are right, and, given that, so are
 * all its arguments.
 */
export function planConfidence(members: number, args: number): number {
  return members * args;
}

/**
 * Members are taken over from a request that is nearly the same whatever else speaks against them. How
 * sure that is must come from what else speaks for them.
 */
function chancesBy({ repeated }: Judging, weights: Float64Array): (one: WeighedMember) => number {
  if (!isNearly(repeated)) return ({ probability }) => probability;
  const at = MEMBER_SIGNALS.indexOf('repeated');
  return ({ signals, added = 0 }) =>
    sigmoid(weigh(signals, weights) + added - signals[at]! * weights[at]!);
}

function isNearly(repeated: Evidence['repeated']): boolean {
  return repeated !== undefined && repeated.likeness < 1;
}

/** The share of like runs that had these tools and no others. */
function agreeing(tools: ReadonlySet<ToolId>, similar: Evidence['similar']): number {
  let share = 0;
  for (const one of similar) if (isJust(tools, one.plan.tools)) share += one.share;
  return share;
}
