import { type ChoiceExample, weigh } from './fit-weights.js';
import { mapInSlices } from './map-in-slices.js';
import { sigmoid } from './odds.js';
import type { Claim } from './reliability-curve.js';

/** The log-odds that a candidate is what was wanted: `bias + score·s + lead·l`. */
export interface Calibration {
  readonly bias: number;
  /** Per point of its score. */
  readonly score: number;
  /** Per point it leads the best of the others, or is behind. */
  readonly lead: number;
}

/** Only what may be shown must be right about itself. */
const SHOWN = 10;
const STEPS = 400;
const RATE = 0.05;
/** As if so many examples spoke for the calibration we start from. */
const PRIOR_EXAMPLES = 20;
/** About how much one example says about the bias, and about what a point of score or lead means. */
const SAYS = { bias: 0.07, slope: 1 };

export interface CalibrateOptions {
  /** What it is where experience says nothing. */
  readonly prior: Calibration;
  /** Called between steps: learning must not hold anything up. */
  readonly pause: () => Promise<void>;
}

interface Outcome {
  readonly score: number;
  readonly rival: number;
  readonly isRight: boolean;
}

/** That a candidate with this score is right, when the best of the others has another. */
export function probabilityOf(
  score: number,
  rival: number,
  { bias, score: perScore, lead }: Calibration,
): number {
  return sigmoid(bias + perScore * score + lead * (score - rival));
}

/** Fits scores to how often such candidates were right (logistic regression, held to the prior). */
export async function calibrate(
  examples: readonly ChoiceExample[],
  weights: Float64Array,
  { prior, pause }: CalibrateOptions,
): Promise<Calibration> {
  const each = await mapInSlices(examples, (example) => outcomesOf(example, weights), pause);
  const outcomes = each.flat();
  if (outcomes.length === 0) return prior;
  const pull = PRIOR_EXAMPLES / examples.length;
  let fitted = prior;
  for (let step = 1; step <= STEPS; step++) {
    const { bias, score, lead } = fitted;
    const slope = slopeOf(outcomes, fitted);
    fitted = {
      bias: bias - RATE * (slope.bias + pull * SAYS.bias * (bias - prior.bias)) * 4,
      score: score - RATE * (slope.score + pull * SAYS.slope * (score - prior.score)),
      lead: lead - RATE * (slope.lead + pull * SAYS.slope * (lead - prior.lead)),
    };
    await pause();
  }
  // A better score must never look worse.
  const { bias, score, lead } = fitted;
  return { bias, score: Math.max(0, score), lead: Math.max(0, lead) };
}

/** How the loss changes with each part of the calibration. */
function slopeOf(outcomes: readonly Outcome[], calibration: Calibration): Calibration {
  const slope = { bias: 0, score: 0, lead: 0 };
  for (const { score, rival, isRight } of outcomes) {
    const excess = probabilityOf(score, rival, calibration) - (isRight ? 1 : 0);
    slope.bias += excess / outcomes.length;
    slope.score += (excess * score) / outcomes.length;
    slope.lead += (excess * (score - rival)) / outcomes.length;
  }
  return slope;
}

/** What is claimed of each candidate that would have been shown, and whether it came true. */
export function claimsOf(
  example: ChoiceExample,
  weights: Float64Array,
  calibration: Calibration,
): readonly Claim[] {
  return outcomesOf(example, weights).map(({ score, rival, isRight }) => ({
    confidence: probabilityOf(score, rival, calibration),
    isRight,
  }));
}

/** The candidates that would have been shown. */
export function outcomesOf(
  { candidates, isRight }: ChoiceExample,
  weights: Float64Array,
): readonly Outcome[] {
  const scored = candidates
    .map((signals, at) => ({ score: weigh(signals, weights), isRight: isRight[at] === true }))
    .toSorted((one, other) => other.score - one.score);
  return scored.slice(0, SHOWN).map((one, place) => ({
    ...one,
    rival: scored[place === 0 ? 1 : 0]?.score ?? 0,
  }));
}
