import type { Example } from './learn-weights.js';
import { type Calibration, probabilityOf, weigh } from './model.js';
import type { SignalValues } from './signals.js';

/** Only what may be shown must be right about itself. */
const SHOWN = 10;
const STEPS = 400;
const RATE = 0.05;
/** As if so many examples spoke for the calibration we start from. */
const PRIOR_EXAMPLES = 20;

interface Outcome {
  readonly score: number;
  readonly rival: number;
  readonly served: boolean;
}

/** Fits scores to how often such candidates served (logistic regression, held to the prior). */
export function calibrate(
  examples: readonly Example[],
  weights: SignalValues,
  prior: Calibration,
): Calibration {
  const outcomes = examples.flatMap((example) => outcomesOf(example, weights));
  if (outcomes.length === 0) return prior;
  const pull = PRIOR_EXAMPLES / examples.length / 100;
  let { bias, score, lead } = prior;
  for (let step = 0; step < STEPS; step++) {
    const slope = { bias: 0, score: 0, lead: 0 };
    for (const one of outcomes) {
      const excess = probabilityOf(one.score, one.rival, { bias, score, lead }) - +one.served;
      slope.bias += excess / outcomes.length;
      slope.score += (excess * one.score) / outcomes.length;
      slope.lead += (excess * (one.score - one.rival)) / outcomes.length;
    }
    bias -= RATE * (slope.bias + pull * (bias - prior.bias)) * 4;
    score -= RATE * (slope.score + pull * (score - prior.score));
    lead -= RATE * (slope.lead + pull * (lead - prior.lead));
  }
  // A better score must never look worse.
  return { bias, score: Math.max(0, score), lead: Math.max(0, lead) };
}

/** The candidates that would have been shown. */
export function outcomesOf(
  { candidates, served }: Example,
  weights: SignalValues,
): readonly Outcome[] {
  const scored = candidates
    .map((signals, at) => ({ score: weigh(signals, weights), served: served[at] === true }))
    .toSorted((one, other) => other.score - one.score);
  return scored.slice(0, SHOWN).map((one, place) => ({
    ...one,
    rival: scored[place === 0 ? 1 : 0]?.score ?? 0,
  }));
}
