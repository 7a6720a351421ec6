import { sigmoid } from './odds.js';

/** Some candidates of which some were right. */
export interface ChoiceExample {
  /** What speaks for each. */
  readonly candidates: readonly Float64Array[];
  readonly isRight: readonly boolean[];
}

export interface FitOptions {
  /** What the weights are where examples say nothing. */
  readonly prior: Float64Array;
  /** Called between steps: learning must not hold anything up. */
  readonly pause: () => Promise<void>;
  /** Weights that stay as they are. */
  readonly isFixed?: (place: number) => boolean;
  /** The most a weight may be. */
  readonly limit?: (place: number) => number;
  /** As if so many examples spoke for the prior. Default 2. */
  readonly priorExamples?: number;
}

const STEPS = 200;
const RATE = 0.15;
/** Later steps are smaller, so that the end does not depend on where it stopped. */
const SETTLING_FROM = 0.7;
const SETTLING = 0.3;

/**
 * Finds weights under which what was right is likelier than the other candidates (softmax over the
 * candidates), held to the prior the more the fewer examples there are.
 */
export async function fitChoice(
  examples: readonly ChoiceExample[],
  options: FitOptions,
): Promise<Float64Array> {
  const telling = examples.filter(
    ({ isRight }) => isRight.includes(true) && isRight.includes(false),
  );
  return descend(telling, options, choiceSlope);
}

/**
 * Finds weights under which each candidate by itself is as likely as it was right (logistic), held to
 * the prior the more the fewer examples there are.
 */
export async function fitOdds(
  examples: readonly ChoiceExample[],
  options: FitOptions,
): Promise<Float64Array> {
  const telling = examples.filter(({ candidates }) => candidates.length > 0);
  return descend(telling, options, oddsSlope);
}

type SlopeOf = (examples: readonly ChoiceExample[], weights: Float64Array) => Float64Array;

/** Adam, with a pull to the prior. */
async function descend(
  examples: readonly ChoiceExample[],
  { prior, pause, isFixed, limit, priorExamples = 2 }: FitOptions,
  slopeOf: SlopeOf,
): Promise<Float64Array> {
  const weights = prior.slice();
  if (examples.length === 0) return weights;
  const pull = priorExamples / examples.length;
  const mean = new Float64Array(weights.length);
  const square = new Float64Array(weights.length);
  for (let step = 1; step <= STEPS; step++) {
    const slope = slopeOf(examples, weights);
    const rate = RATE * (step > STEPS * SETTLING_FROM ? SETTLING : 1);
    for (let at = 0; at < weights.length; at++) {
      if (isFixed?.(at)) continue;
      const change = slope[at]! / examples.length + pull * (weights[at]! - prior[at]!);
      mean[at] = 0.9 * mean[at]! + 0.1 * change;
      square[at] = 0.99 * square[at]! + 0.01 * change * change;
      const direction = mean[at]! / (1 - 0.9 ** step);
      const size = Math.sqrt(square[at]! / (1 - 0.99 ** step)) + 1e-8;
      const next = weights[at]! - (rate * direction) / size;
      weights[at] = Math.min(next, limit?.(at) ?? Infinity);
    }
    await pause();
  }
  return weights;
}

/** How the loss changes with each weight. */
function choiceSlope(examples: readonly ChoiceExample[], weights: Float64Array): Float64Array {
  const slope = new Float64Array(weights.length);
  for (const { candidates, isRight } of examples) {
    const odds = new Float64Array(candidates.length);
    let best = -Infinity;
    for (let place = 0; place < odds.length; place++) {
      odds[place] = weigh(candidates[place]!, weights);
      best = Math.max(best, odds[place]!);
    }
    let total = 0;
    for (let place = 0; place < odds.length; place++) {
      odds[place] = Math.exp(odds[place]! - best);
      total += odds[place]!;
    }
    const share = 1 / isRight.filter(Boolean).length;
    for (let place = 0; place < odds.length; place++) {
      const excess = odds[place]! / total - (isRight[place] ? share : 0);
      if (Math.abs(excess) < 1e-5) continue;
      const values = candidates[place]!;
      for (let at = 0; at < slope.length; at++) slope[at]! += excess * values[at]!;
    }
  }
  return slope;
}

/** Each example counts the same, whatever the number of its candidates. */
function oddsSlope(examples: readonly ChoiceExample[], weights: Float64Array): Float64Array {
  const slope = new Float64Array(weights.length);
  for (const { candidates, isRight } of examples) {
    const share = 1 / Math.max(1, isRight.filter(Boolean).length);
    candidates.forEach((values, place) => {
      const chance = sigmoid(weigh(values, weights));
      const excess = (chance - (isRight[place] ? 1 : 0)) * share;
      for (let at = 0; at < slope.length; at++) slope[at]! += excess * values[at]!;
    });
  }
  return slope;
}

export function weigh(values: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < weights.length; at++) sum += weights[at]! * values[at]!;
  return sum;
}
