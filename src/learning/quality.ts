import type { Example, SignalValues } from '../ranking/index.js';
import { weigh } from './fit-weights.js';

/** How well requests were answered, over all of them; each in [0, 1]. */
export interface Quality {
  /** A tool that served it came first. */
  readonly first: number;
  /** One over the place of the first tool that served it. */
  readonly reciprocal: number;
  /** The share of the tools that served it among the first ten. */
  readonly recall: number;
}

/** One number to compare by: mostly what comes first, since that is what agents call. */
export function worth({ first, reciprocal, recall }: Quality): number {
  return (first + reciprocal + recall) / 3;
}

export function measure(
  answers: readonly { readonly one: Example; readonly weights: SignalValues }[],
): Quality {
  const each = answers.map(({ one, weights }) => qualityOf(one, weights));
  const mean = (pick: (quality: Quality) => number) =>
    each.reduce((sum, quality) => sum + pick(quality), 0) / Math.max(1, each.length);
  return {
    first: mean(({ first }) => first),
    reciprocal: mean(({ reciprocal }) => reciprocal),
    recall: mean(({ recall }) => recall),
  };
}

function qualityOf({ candidates, served, wanted }: Example, weights: SignalValues): Quality {
  const order = candidates
    .map((signals, at) => ({ score: weigh(signals, weights), served: served[at] === true }))
    .toSorted((one, other) => other.score - one.score);
  const place = order.findIndex((one) => one.served) + 1;
  const found = order.slice(0, 10).filter((one) => one.served).length;
  return {
    first: place === 1 ? 1 : 0,
    reciprocal: place > 0 ? 1 / place : 0,
    recall: found / Math.max(1, wanted),
  };
}
