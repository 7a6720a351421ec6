/** What something learned must bring, from 0 to 1, before it is used. */
const MARGIN = 0.003;

/** The quality of two methods on the same request, each from 0 to 1. */
export interface PairedAnswer {
  /** Nearly equal requests share a group: together they count as one piece of evidence. */
  readonly group: string;
  readonly simpler: number;
  readonly candidate: number;
}

/** The result of a paired test. */
export interface GateVerdict {
  readonly isBetter: boolean;
  /** The average gain of the candidate; negative if the candidate is worse. */
  readonly gain: number;
  /** The standard error of the gain, with each group as one observation. */
  readonly error: number;
  readonly answers: number;
  readonly groups: number;
  /** The reason in words, for users who ask why PML uses a model or not. */
  readonly why: string;
}

/** With fewer groups than this, no gain is significant. */
const LEAST_GROUPS = 8;

/** Quantiles of the normal distribution. */
const NORMAL = { 0.95: 1.6449, 0.99: 2.3263 } as const;

/** How rarely chance alone may open a gate. */
export type Certainty = keyof typeof NORMAL;

/** Against a control, chance is all there is where nothing can be learned, so less of it is accepted. */
export const AGAINST_CONTROL: Certainty = 0.99;

/**
 * So many controls are learned. What a control learns depends on the answers that were drawn for it, which
 * moves all held-out requests at once: a paired test against one of them does not see that chance.
 */
export const CONTROLS = 3;
/**
 * So many standard deviations of the controls the candidate has to be above their mean, not to be one of
 * them in 19 of 20 cases: Student's t with two degrees of freedom, for one more draw than those known.
 */
const ABOVE_CONTROLS = 2.92 * Math.sqrt(1 + 1 / CONTROLS);

/**
 * The verdict after the controls: weights that were learned in the same way from answers that say nothing.
 * If the candidate is not better than each of them, it learned nothing about requests. `judge` compares the
 * candidate with the control of a draw, from 1; it is undefined if there is nothing to learn a control from.
 */
export async function withControls<Verdict extends GateVerdict>(
  verdict: Verdict,
  judge: (draw: number) => Promise<GateVerdict | undefined>,
): Promise<Verdict> {
  if (!verdict.isBetter) return verdict;
  const refused = (why: string): Verdict => ({
    ...verdict,
    isBetter: false,
    why: `not better than control weights, which learned from answers that say nothing: ${why}`,
  });
  const gains: number[] = [];
  for (let draw = 1; draw <= CONTROLS; draw++) {
    const merit = await judge(draw);
    if (!merit) continue;
    if (!merit.isBetter) return refused(merit.why);
    gains.push(merit.gain);
  }
  if (gains.length < CONTROLS) return verdict;
  const gain = gains.reduce((sum, one) => sum + one, 0) / gains.length;
  const squares = gains.reduce((sum, one) => sum + (one - gain) ** 2, 0);
  const spread = Math.sqrt(squares / (gains.length - 1));
  if (gain > ABOVE_CONTROLS * spread) return verdict;
  return refused(`${signed(gain)}, where controls differ by ${spread.toFixed(3)} among themselves`);
}

/**
 * Whether a candidate may replace a simpler method. The candidate must do better on the same held-out
 * requests, by more than chance explains. Otherwise the simpler method stays.
 */
export function comparePaired(
  answers: readonly PairedAnswer[],
  certainty: Certainty = 0.95,
): GateVerdict {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const { group, simpler, candidate } of answers) {
    const own = sums.get(group) ?? { sum: 0, count: 0 };
    sums.set(group, { sum: own.sum + candidate - simpler, count: own.count + 1 });
  }
  const all = [...sums.values()];
  const groups = all.length;
  const gain = all.reduce((sum, one) => sum + one.sum, 0) / Math.max(1, answers.length);
  const error = standardError(all, gain);
  const told = { gain, error, answers: answers.length, groups };
  if (groups < LEAST_GROUPS) {
    return { ...told, isBetter: false, why: `${groups} different requests prove nothing yet` };
  }
  const least = gain - certaintyFactor(groups, certainty) * error;
  const figures = `${signed(gain)} ± ${error.toFixed(3)} over ${groups} different requests`;
  return least > MARGIN
    ? { ...told, isBetter: true, why: `better by ${figures}` }
    : { ...told, isBetter: false, why: `not better beyond chance: ${figures}` };
}

/** A cluster-robust standard error: the errors of requests in one group are correlated. */
function standardError(
  groups: readonly { readonly sum: number; readonly count: number }[],
  gain: number,
): number {
  const count = groups.reduce((sum, one) => sum + one.count, 0);
  if (groups.length < 2) return Infinity;
  const squares = groups.reduce((sum, one) => sum + (one.sum - one.count * gain) ** 2, 0);
  return Math.sqrt((squares * groups.length) / (groups.length - 1)) / count;
}

/** Student's t, one-sided, by Hill's expansion around the normal quantile. */
function certaintyFactor(groups: number, certainty: Certainty): number {
  const freedom = groups - 1;
  const normal = NORMAL[certainty];
  return normal + (normal ** 3 + normal) / (4 * freedom) + 1.5 / freedom ** 2;
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
}
