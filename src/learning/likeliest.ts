import type { ChoiceExample } from './fit-weights.js';

/**
 * The likeliest candidates by the given scores, and all that were right. What is less likely than so
 * many others tells little, and takes most of the time of a fit.
 */
export function likeliest(
  { candidates, isRight }: ChoiceExample,
  scoreOf: (values: Float64Array) => number,
  most: number,
): ChoiceExample {
  if (candidates.length <= most) return { candidates, isRight };
  const scores = candidates.map(scoreOf);
  const least = scores.toSorted((one, other) => other - one)[most - 1]!;
  const isKept = scores.map((score, at) => isRight[at] === true || score >= least);
  return {
    candidates: candidates.filter((_, at) => isKept[at]),
    isRight: isRight.filter((_, at) => isKept[at]),
  };
}
