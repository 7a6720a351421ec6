import { weigh } from './model.js';
import { type Signal, SIGNALS, type SignalValues } from './signals.js';

/** One past request: what spoke for each candidate, and which of them served it. */
export interface Example {
  /** Of requests that must not judge each other. */
  readonly group: string;
  readonly candidates: readonly SignalValues[];
  readonly served: readonly boolean[];
  /** How many tools served it, found or not. */
  readonly wanted: number;
}

export interface LearnOptions {
  /** What the weights are where experience says nothing. */
  readonly prior: SignalValues;
  /** Called between steps: learning must not hold anything up. */
  readonly pause: () => Promise<void>;
}

const STEPS = 200;
const RATE = 0.15;
/** Later steps are smaller, so that the end does not depend on where it stopped. */
const SETTLING_FROM = 0.7;
const SETTLING = 0.3;
/** As if so many examples spoke for the prior. */
const PRIOR_EXAMPLES = 2;

/**
 * What speaks for a tool whatever is asked for may decide between equals, but no more: where all of
 * the past is of one kind, learning would otherwise answer everything with it.
 */
const LIMITS: Readonly<Partial<Record<Signal, number>>> = { uses: 0.4, serverUses: 0.4 };

/** Signals whose weight is a decision of ours and not a matter of experience. */
const FIXED: ReadonlySet<Signal> = new Set(['named', 'reliability']);

/**
 * Finds weights under which the tools that served a request are likelier than the other candidates
 * (softmax over the candidates, Adam), held to the prior the more the fewer examples there are.
 */
export async function learnWeights(
  examples: readonly Example[],
  { prior, pause }: LearnOptions,
): Promise<SignalValues> {
  const telling = examples.filter(({ served }) => served.includes(true) && served.includes(false));
  const weights = prior.slice();
  if (telling.length === 0) return weights;
  const pull = PRIOR_EXAMPLES / telling.length;
  const mean = new Float64Array(SIGNALS.length);
  const square = new Float64Array(SIGNALS.length);
  for (let step = 1; step <= STEPS; step++) {
    const slope = slopeOf(telling, weights);
    const rate = RATE * (step > STEPS * SETTLING_FROM ? SETTLING : 1);
    SIGNALS.forEach((signal, at) => {
      if (FIXED.has(signal)) return;
      const change = slope[at]! / telling.length + pull * (weights[at]! - prior[at]!);
      mean[at] = 0.9 * mean[at]! + 0.1 * change;
      square[at] = 0.99 * square[at]! + 0.01 * change * change;
      const direction = mean[at]! / (1 - 0.9 ** step);
      const size = Math.sqrt(square[at]! / (1 - 0.99 ** step)) + 1e-8;
      const next = weights[at]! - (rate * direction) / size;
      weights[at] = Math.min(next, LIMITS[signal] ?? Infinity);
    });
    await pause();
  }
  return weights;
}

/** How the loss changes with each weight. */
function slopeOf(examples: readonly Example[], weights: SignalValues): Float64Array {
  const slope = new Float64Array(weights.length);
  for (const { candidates, served } of examples) {
    const odds = Float64Array.from(candidates, (signals) => weigh(signals, weights));
    const best = odds.reduce((most, score) => Math.max(most, score), -Infinity);
    let total = 0;
    for (let place = 0; place < odds.length; place++) {
      odds[place] = Math.exp(odds[place]! - best);
      total += odds[place]!;
    }
    const wanted = 1 / served.filter(Boolean).length;
    for (let place = 0; place < odds.length; place++) {
      const excess = odds[place]! / total - (served[place] ? wanted : 0);
      if (Math.abs(excess) < 1e-5) continue;
      const signals = candidates[place]!;
      for (let at = 0; at < slope.length; at++) slope[at]! += excess * signals[at]!;
    }
  }
  return slope;
}
