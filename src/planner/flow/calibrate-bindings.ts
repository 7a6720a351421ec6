import { type Claim, fitOdds, logOdds, sigmoid } from '../../learning/index.js';

/** How the probability of a binding follows from its log-odds: `bias + slope · logOdds`. */
export interface BindingCalibration {
  readonly bias: number;
  readonly slope: number;
}

/**
 * What the strength of a guess is worth: how often guesses as strong as it were right, on public sets.
 * `bench/fit-flow.ts` measures it.
 */
export const SHIPPED_CALIBRATION: BindingCalibration = { bias: 1.3, slope: 0.7 };
/** As probabilities come out of what was shipped. */
const UNCHANGED: BindingCalibration = { bias: 0, slope: 1 };
/** As if so many bindings spoke for what was shipped. */
const PRIOR_BINDINGS = 20;
/** Nothing is surer than this. */
const BOUNDS = { least: 0.001, most: 0.999 };

export function calibrated(
  probability: number,
  { bias, slope }: BindingCalibration = UNCHANGED,
): number {
  return sigmoid(bias + slope * logOdds(probability, BOUNDS));
}

/**
 * Fits the probabilities of bindings to how often they were right here, held to what was shipped the
 * more the fewer were seen.
 */
export async function calibrateBindings(
  claims: readonly Claim[],
  pause: () => Promise<void>,
): Promise<BindingCalibration> {
  const examples = claims.map(({ confidence, isRight }) => ({
    candidates: [Float64Array.of(1, logOdds(confidence, BOUNDS))],
    isRight: [isRight],
  }));
  const [bias = 0, slope = 1] = await fitOdds(examples, {
    prior: Float64Array.of(UNCHANGED.bias, UNCHANGED.slope),
    pause,
    priorExamples: PRIOR_BINDINGS,
  });
  // What speaks for a binding must never speak against it.
  return { bias, slope: Math.max(0, slope) };
}
