import {
  assignFolds,
  type Claim,
  comparePaired,
  crossFit,
  type GateVerdict,
  truthOf,
} from '../../learning/index.js';
import { type BindingCalibration, calibrateBindings, calibrated } from './calibrate-bindings.js';
import type { BindingClaim } from './replay-bindings.js';

/** What the user's own executions say about the probabilities of bindings. */
export interface LearnedBindings {
  /** Missing while the probabilities stay as they were shipped. */
  readonly calibration?: BindingCalibration;
  readonly heldOut: GateVerdict;
  /** What would have been claimed of each binding without its own answer, in the way that is used. */
  readonly claims: readonly Claim[];
}

const FOLDS = 5;

/**
 * Corrects the probabilities of bindings by how often they were right here. The correction is used only
 * if it brought claims nearer to what was so in procedures that it was not learned from, by more than
 * chance explains.
 */
export async function learnBindings(
  claims: readonly BindingClaim[],
  pause: () => Promise<void>,
): Promise<LearnedBindings> {
  const foldOf = assignFolds(
    claims.map(({ group }) => group),
    FOLDS,
  );
  const shipped = claims.map((claim) => ({ ...claim, fold: foldOf.get(claim.group)! }));
  const fitted = await crossFit(shipped, FOLDS, (some) => calibrateBindings(some, pause));
  const corrected = shipped.map((claim) => ({
    ...claim,
    confidence: calibrated(claim.confidence, fitted.without(claim.fold)),
  }));
  const heldOut = comparePaired(
    shipped.map((claim, at) => ({
      group: claim.group,
      simpler: truthOf(claim),
      candidate: truthOf(corrected[at]!),
    })),
  );
  const used = heldOut.isBetter ? corrected : shipped;
  return {
    ...(heldOut.isBetter && { calibration: fitted.all }),
    heldOut,
    claims: used.map(({ confidence, isRight }) => ({ confidence, isRight })),
  };
}
