import { type ChoiceExample, weigh } from './fit-weights.js';

/** An example of which some of what was right may not be among the candidates. */
export interface FoundExample extends ChoiceExample {
  /** How many were right, found or not. */
  readonly wanted: number;
}

/** How well requests were answered, over all of them; each in [0, 1]. */
export interface Quality {
  /** Something right came first. */
  readonly first: number;
  /** One over the place of the first that was right. */
  readonly reciprocal: number;
  /** The share of what was right among the first ten. */
  readonly recall: number;
}

/** One number to compare by: mostly what comes first, since that is what agents call. */
export function worth({ first, reciprocal, recall }: Quality): number {
  return (first + reciprocal + recall) / 3;
}

/** The average over several requests. */
export function meanQuality(each: readonly Quality[]): Quality {
  return {
    first: mean(each.map(({ first }) => first)),
    reciprocal: mean(each.map(({ reciprocal }) => reciprocal)),
    recall: mean(each.map(({ recall }) => recall)),
  };
}

/** The quality of the answer to a single request. */
export function qualityOf(
  { candidates, isRight, wanted }: FoundExample,
  weights: Float64Array,
): Quality {
  const order = candidates
    .map((signals, at) => ({ score: weigh(signals, weights), isRight: isRight[at] === true }))
    .toSorted((one, other) => other.score - one.score);
  const place = order.findIndex((one) => one.isRight) + 1;
  const found = order.slice(0, 10).filter((one) => one.isRight).length;
  return {
    first: place === 1 ? 1 : 0,
    reciprocal: place > 0 ? 1 / place : 0,
    recall: found / Math.max(1, wanted),
  };
}

/** Precision and recall together: how far what was chosen is what was right. */
export function f1(right: ReadonlySet<string>, chosen: readonly string[]): number {
  const hits = chosen.filter((one) => right.has(one)).length;
  return (2 * hits) / Math.max(1, chosen.length + right.size);
}

/** 0 of none. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
