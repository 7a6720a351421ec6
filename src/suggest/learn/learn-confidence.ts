import {
  type ChoiceExample,
  type Claim,
  comparePaired,
  crossFit,
  fitOdds,
  type GateVerdict,
  mapInSlices,
  mean,
  sigmoid,
  truthOf,
  weigh,
} from '../../learning/index.js';
import { CONFIDENCE_SIGNALS, confidenceSignals, limited } from '../confidence.js';
import type { Evidence } from '../evidence.js';
import { chooseMembers } from '../members/choose-members.js';
import { isJust, procedureOf } from '../past/past-plan.js';
import { type ConfidenceCurve, correctedBy, fitCurve } from './confidence-curve.js';
import { FIXED_CONFIDENCE, type Models } from './models.js';
import { FOLDS, type PlanExample } from './replay-plans.js';

interface ConfidenceOptions {
  /** Member weights for an example, learned without that example. */
  readonly membersFor: (example: PlanExample) => Float64Array;
  readonly shipped: Models;
  readonly pause: () => Promise<void>;
}

interface LearnedConfidence extends Pick<Models, 'confidence' | 'curve'> {
  readonly heldOut: GateVerdict & { readonly before: number; readonly learned: number };
  /** The confidence of each example, computed without that example by the model in use. */
  readonly claims: readonly Claim[];
}

/** A plan that PML made without knowing the answer, and whether the plan was right. */
interface JudgedPlan extends ChoiceExample {
  readonly fold: number;
  readonly group: string;
  readonly evidence: Evidence;
  readonly wasRight: boolean;
}

/** As if so many procedures spoke for the calibration it comes with. */
const PRIOR_PROCEDURES = 5;
/**
 * A procedure that repeats in other words says little about other requests. At most this many examples
 * of a procedure count, or this share of all examples.
 */
const OF_A_PROCEDURE = { most: 3, share: 0.1 };
/** With fewer different requests than this, no gain is significant. */
const LEAST_GROUPS = 8;

/**
 * Learns the confidence of plans from plans that PML made without knowing the answer. The shipped
 * calibration is the prior. PML uses the result only if it brings claims closer to outcomes. A gain
 * beyond chance is not needed: unlike another ranking, a correction that is held to the shipped one
 * changes no plan, and a few squared errors hardly ever prove a gain.
 */
export async function learnConfidence(
  examples: readonly PlanExample[],
  { membersFor, shipped, pause }: ConfidenceOptions,
): Promise<LearnedConfidence> {
  const judged = await mapInSlices(
    fewOfEach(examples),
    (one) => judgedPlan(one, membersFor(one)),
    pause,
  );
  const plans = judged.flat();
  const procedures = new Set(examples.map(({ plan }) => procedureOf(plan))).size;
  const examplesEach = plans.length / Math.max(1, procedures);
  const fit = (some: readonly JudgedPlan[]) =>
    fitOdds(some, {
      prior: shipped.confidence,
      pause,
      priorExamples: PRIOR_PROCEDURES * examplesEach,
      isFixed: (at) => FIXED_CONFIDENCE.has(CONFIDENCE_SIGNALS[at]!),
    });
  const fitted = await crossFit(plans, FOLDS, fit);
  const plain = plans.map((one) => claimOf(one, fitted.without(one.fold), []));
  const curves = Array.from({ length: FOLDS }, (_, fold) =>
    fitCurve(plain.filter((__, at) => plans[at]!.fold !== fold)),
  );
  const learned = plans.map((one) => claimOf(one, fitted.without(one.fold), curves[one.fold]!));
  const before = plans.map((one) => claimOf(one, shipped.confidence, shipped.curve));
  const verdict = comparePaired(
    plans.map(({ group }, at) => ({
      group,
      simpler: truthOf(before[at]!),
      candidate: truthOf(learned[at]!),
    })),
  );
  const isUsed = verdict.groups >= LEAST_GROUPS && verdict.gain > 0;
  return {
    confidence: isUsed ? fitted.all : shipped.confidence,
    curve: isUsed ? fitCurve(plain) : shipped.curve,
    heldOut: {
      ...verdict,
      ...(isUsed && { isBetter: true, why: whyUsed(verdict) }),
      before: mean(before.map(truthOf)),
      learned: mean(learned.map(truthOf)),
    },
    claims: isUsed ? learned : before,
  };
}

function whyUsed({ isBetter, why, gain, error, groups }: GateVerdict): string {
  if (isBetter) return why;
  const figures = `+${gain.toFixed(3)} ± ${error.toFixed(3)} over ${groups} different requests`;
  return `claims come closer to outcomes: ${figures}`;
}

function fewOfEach(examples: readonly PlanExample[]): readonly PlanExample[] {
  const most = Math.max(OF_A_PROCEDURE.most, OF_A_PROCEDURE.share * examples.length);
  const seen = new Map<string, number>();
  return examples.filter(({ plan }) => {
    const procedure = procedureOf(plan);
    const times = (seen.get(procedure) ?? 0) + 1;
    seen.set(procedure, times);
    return times <= most;
  });
}

function judgedPlan(
  { fold, group, evidence, members, plan }: PlanExample,
  weights: Float64Array,
): readonly JudgedPlan[] {
  const chosen = chooseMembers(members.weighed, weights);
  // An empty plan makes no claim.
  if (chosen.members.length === 0) return [];
  const tools = chosen.members.map(({ tool }) => tool);
  const wasRight = isJust(new Set(plan.tools), tools);
  const candidates = [confidenceSignals(chosen, evidence, weights)];
  return [{ fold, group, evidence, wasRight, candidates, isRight: [wasRight] }];
}

function claimOf(
  { candidates, evidence, wasRight }: JudgedPlan,
  weights: Float64Array,
  curve: ConfidenceCurve,
): Claim {
  const claimed = correctedBy(curve, sigmoid(weigh(candidates[0]!, weights)));
  return { confidence: limited(claimed, evidence), isRight: wasRight };
}
