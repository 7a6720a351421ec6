import { fitChoice, fitOdds, likeliest, weigh } from '../../learning/index.js';
import { MEMBER_SIGNALS } from '../members/member-signals.js';
import { procedureOf } from '../past/past-plan.js';
import { FIXED_MEMBERS, type JudgedModel, type Models } from './models.js';
import type { PlanExample } from './replay-plans.js';

/**
 * As if so many procedures spoke for the shipped weights: runs of one procedure in other words teach
 * hardly more than one of them.
 */
const PRIOR_PROCEDURES = { members: 4, links: 3 };
/**
 * With so many procedures the prior of members counts half. Held-out plans of UltraTool are right more
 * often with a weaker prior (+3.3 ± 1.3 points with an eighth of it), those of TRAJECT as often.
 */
const HALF_PRIOR = 30;
/** The same in steps. Held-out next steps of UltraTool and TRAJECT are no better with 5 or 20. */
const PRIOR_STEPS = 10;
/** So many candidates of a next step are fitted, by the shipped weights. */
const MOST_FITTED_STEPS = 40;

export interface FitModelOptions {
  readonly shipped: Models;
  readonly pause: () => Promise<void>;
}

/** Fits one model to examples. The fewer there are, the closer it stays to the shipped weights. */
export const FIT: Readonly<
  Record<
    JudgedModel,
    (examples: readonly PlanExample[], options: FitModelOptions) => Promise<Float64Array>
  >
> = {
  /** Of signals that the shipped weights do not have, as of those of heads, the prior is 0. */
  members(examples, { shipped, pause }) {
    const signals = examples[0]?.members.candidates[0]?.length ?? 0;
    const prior = new Float64Array(Math.max(signals, shipped.members.length));
    prior.set(shipped.members);
    return fitOdds(
      examples.map((one) => one.members),
      {
        prior,
        pause,
        isFixed: (at) => FIXED_MEMBERS.has(MEMBER_SIGNALS[at] ?? ''),
        priorExamples: memberPrior(examples),
      },
    );
  },
  links(examples, { shipped, pause }) {
    return fitOdds(
      examples.flatMap((one) => one.links ?? []),
      {
        prior: shipped.links,
        pause,
        priorExamples: PRIOR_PROCEDURES.links * examplesOfAProcedure(examples),
      },
    );
  },
  next(examples, { shipped, pause }) {
    const scoreOf = (values: Float64Array) => weigh(values, shipped.next);
    return fitChoice(
      examples.flatMap((one) =>
        one.next.map((step) => likeliest(step, scoreOf, MOST_FITTED_STEPS)),
      ),
      { prior: shipped.next, pause, priorExamples: PRIOR_STEPS },
    );
  },
};

function memberPrior(examples: readonly PlanExample[]): number {
  const procedures = examples.length / examplesOfAProcedure(examples);
  const share = HALF_PRIOR / (HALF_PRIOR + procedures);
  return PRIOR_PROCEDURES.members * share * examplesOfAProcedure(examples);
}

function examplesOfAProcedure(examples: readonly PlanExample[]): number {
  const procedures = new Set(examples.map(({ plan }) => procedureOf(plan))).size;
  return examples.length / Math.max(1, procedures);
}
