import { type Claim, reliabilityCurve } from '../../src/learning/index.js';

/** What the calibration error would be if every claim were exactly right about itself. */
export interface CalibrationNoise {
  /** The mean over many made-up outcomes. */
  readonly expected: number;
  /** One of twenty made-up outcomes has more than this. */
  readonly most: number;
}

const DRAWS = 1_000;

/**
 * The calibration error of few claims is above 0 even for a perfect forecaster, because the share of
 * each bin that comes true is a matter of chance. Draws outcomes with the claimed probabilities, and
 * measures their error.
 */
export function calibrationNoise(
  claims: readonly Pick<Claim, 'confidence'>[],
  random: () => number,
): CalibrationNoise {
  const errors = Array.from({ length: DRAWS }, () => {
    const drawn = claims.map(({ confidence }) => ({ confidence, isRight: random() < confidence }));
    return reliabilityCurve(drawn).calibrationError;
  }).toSorted((one, other) => one - other);
  return {
    expected: errors.reduce((sum, error) => sum + error, 0) / DRAWS,
    most: errors[Math.floor(DRAWS * 0.95)]!,
  };
}
