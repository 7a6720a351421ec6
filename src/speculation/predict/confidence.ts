/** How likely a proposed call is exactly the next one: few weights, fitted to calls that came. */
import { logOdds, sigmoid, weigh } from '../../learning/index.js';

/** Weights refer to these, in this order. */
export const CALL_SIGNALS = [
  'bias',
  /** Log-odds of the tool and its arguments together. */
  'call',
  /** Log-odds that the tool is called next. */
  'tool',
  /** Log-odds that guesses for the arguments of this tool are right. */
  'accuracy',
  /** Of the last calls of the tool in this session, how many in a row would have been guessed. */
  'streak',
  /** The same, where the last call was of this tool. */
  'loop',
  /** Whether the session has made exactly this call already, and whether as its last one. */
  'again',
  'atOnceAgain',
] as const;

/** Fitted by `bench -- speculate` to recorded runs at real servers, held out by task. */
export const SHIPPED_CONFIDENCE = Float64Array.from([
  -0.53, 1.16, -0.19, 0.1, 0.2, 0.67, -0.58, -0.78,
]);

/** What is known of one proposal, and whether it came true. */
export interface CallExample {
  readonly signals: Float64Array;
  readonly isRight: boolean;
}

interface Chances {
  readonly tool: number;
  readonly args: number;
  readonly accuracy: number;
  readonly streak: number;
  readonly isLast: boolean;
  /** Exactly this call was made, so many calls ago; undefined if it was not. */
  readonly madeAgo: number | undefined;
}

const BOUNDS = { least: 0.001, most: 0.999 };

export function callSignals(chances: Chances): Float64Array {
  const { tool, args, accuracy, streak, isLast, madeAgo } = chances;
  const signals: Record<(typeof CALL_SIGNALS)[number], number> = {
    bias: 1,
    call: logOdds(tool * args, BOUNDS),
    tool: logOdds(tool, BOUNDS),
    accuracy: logOdds(accuracy, BOUNDS),
    streak,
    loop: isLast ? streak : 0,
    again: madeAgo === undefined ? 0 : 1,
    atOnceAgain: madeAgo === 1 ? 1 : 0,
  };
  return Float64Array.from(CALL_SIGNALS, (name) => signals[name]);
}

export function callConfidence(signals: Float64Array, weights: Float64Array): number {
  return sigmoid(weigh(signals, weights));
}

const STEPS = 25;

/**
 * Logistic regression by Newton's method, held to `prior` as if `priorExamples` spoke for it: with
 * few examples little changes. Small enough to be done in the course of a call.
 */
export function fitConfidence(
  examples: readonly CallExample[],
  prior: Float64Array,
  priorExamples = 20,
): Float64Array {
  let weights = prior;
  if (examples.length === 0) return weights;
  // What one undecided example says about a weight.
  const pull = priorExamples / 4;
  for (let step = 0; step < STEPS; step++) {
    const size = weights.length;
    const slope = Float64Array.from(weights, (weight, at) => pull * (weight - prior[at]!));
    const curve = Array.from({ length: size }, (_, at) => {
      const row = new Float64Array(size);
      row[at] = pull;
      return row;
    });
    for (const { signals, isRight } of examples) {
      const chance = callConfidence(signals, weights);
      const excess = chance - (isRight ? 1 : 0);
      const spread = chance * (1 - chance);
      for (let one = 0; one < size; one++) {
        slope[one]! += excess * signals[one]!;
        for (let other = 0; other < size; other++) {
          curve[one]![other]! += spread * signals[one]! * signals[other]!;
        }
      }
    }
    const change = solve(curve, slope);
    weights = weights.map((weight, at) => weight - change[at]!);
    if (change.every((part) => Math.abs(part) < 1e-6)) break;
  }
  return weights;
}

/** Gauss elimination; the matrix is positive definite, because the prior holds every weight. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, at) => Float64Array.from([...row, right[at]!]));
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const pivot = rows[column]!;
    for (let below = column + 1; below < size; below++) {
      const factor = rows[below]![column]! / pivot[column]!;
      for (let at = column; at <= size; at++) rows[below]![at]! -= factor * pivot[at]!;
    }
  }
  const found = new Float64Array(size);
  for (let at = size - 1; at >= 0; at--) {
    let rest = rows[at]![size]!;
    for (let other = at + 1; other < size; other++) rest -= rows[at]![other]! * found[other]!;
    found[at] = rest / rows[at]![at]!;
  }
  return found;
}
