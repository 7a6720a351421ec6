import { sigmoid } from '../../learning/index.js';
import type { Spread } from '../spread.js';

/**
 * How fast a neighbour loses its say as it gets less alike than the nearest. Cosines of sentence
 * models lie close together: unrelated texts around 0.75, the same need in other words around 0.9.
 */
export const SHARPNESS = 0.025;

/** A few tools tell little about how alike unrelated texts are. */
const LEAST_DEVIATION = 0.02;
/** Where a neighbour is as likely to mean the same as not, in deviations above unrelated texts. */
const DOUBTFUL = 2.75;
const DOUBT_WIDTH = 0.4;
/** What is no more alike than this is unrelated. */
export const UNRELATED = 2;

/** Where nothing is known of unrelated texts, likeness counts as it is. */
const UNKNOWN: Spread = { mean: 0, deviation: 0.1 };

/** So many past requests or needs have a say. */
export const NEIGHBOURS = 30;

/** How far a similarity stands above that of unrelated texts, in deviations. */
export function standingIn(unrelated: Spread = UNKNOWN): (similarity: number) => number {
  const { mean, deviation } = unrelated;
  const scale = Math.max(deviation, LEAST_DEVIATION);
  return (similarity) => (similarity - mean) / scale;
}

/**
 * How much a past request says about a new one, in (0, 1). The nearest of few is seldom near: what
 * was asked for before must not answer what has nothing to do with it.
 */
export function trustIn(standing: number): number {
  return sigmoid((standing - DOUBTFUL) / DOUBT_WIDTH);
}
