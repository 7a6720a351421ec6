import { mean } from './quality.js';

/** A claimed probability, and whether the claim came true. */
export interface Claim {
  readonly confidence: number;
  readonly isRight: boolean;
}

interface CurveBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly meanConfidence: number;
  readonly shareRight: number;
}

export interface ReliabilityCurve {
  /** The bins that hold claims, least sure first. */
  readonly bins: readonly CurveBin[];
  /**
   * The expected calibration error: the distance of claims from outcomes, averaged over all claims.
   */
  readonly calibrationError: number;
  readonly count: number;
  readonly shareRight: number;
}

const BINS = 10;

export function reliabilityCurve(claims: readonly Claim[]): ReliabilityCurve {
  const bins = Array.from({ length: BINS }, (_, bin) => {
    const own = claims.filter(
      ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)) === bin,
    );
    return {
      from: bin / BINS,
      to: (bin + 1) / BINS,
      count: own.length,
      meanConfidence: mean(own.map(({ confidence }) => confidence)),
      shareRight: mean(own.map(({ isRight }) => (isRight ? 1 : 0))),
    };
  }).filter(({ count }) => count > 0);
  const gaps = bins.map(
    ({ count, meanConfidence, shareRight }) =>
      (count / claims.length) * Math.abs(meanConfidence - shareRight),
  );
  return {
    bins,
    calibrationError: gaps.reduce((sum, gap) => sum + gap, 0),
    count: claims.length,
    shareRight: mean(claims.map(({ isRight }) => (isRight ? 1 : 0))),
  };
}

/** How near a claim came to what was so, from 0 to 1: one minus its squared error. */
export function truthOf({ confidence, isRight }: Claim): number {
  return 1 - (confidence - (isRight ? 1 : 0)) ** 2;
}
