/** A claim of how likely something is right, and whether it was. */
export interface Claim {
  readonly confidence: number;
  readonly isRight: boolean;
}

export interface CurveBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly meanConfidence: number;
  readonly shareRight: number;
}

export interface ReliabilityCurve {
  /** Those with any claim, least sure first. */
  readonly bins: readonly CurveBin[];
  /** How far claims are from what came true, on average over claims, bin by bin. */
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

function mean(values: readonly number[]): number {
  return values.length === 0 ? NaN : values.reduce((sum, value) => sum + value, 0) / values.length;
}
