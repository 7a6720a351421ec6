import { weigh, expectedBest, sigmoid } from '../../learning/index.js';
import type { Likely } from '../evidence.js';
import type { MemberCandidate } from './member-signals.js';

/** A tool with what was weighed of it. */
export interface WeighedMember extends Likely {
  /** One number for each of `MEMBER_SIGNALS`. */
  readonly signals: Float64Array;
}

export interface ChosenMembers {
  /** Likeliest first. */
  readonly members: readonly WeighedMember[];
  /** Tools that were weighed and left out, likeliest first. */
  readonly others: readonly WeighedMember[];
  /** How right the members are expected to be (F1), from 0 to 1. */
  readonly expected: number;
}

export const MOST_MEMBERS = 25;
const MOST_OTHERS = 10;

/** The tools that are best to be expected. */
export function chooseMembers(
  candidates: readonly MemberCandidate[],
  weights: Float64Array,
): ChosenMembers {
  const weighed = candidates
    .map(({ tool, signals }): WeighedMember => {
      return { tool, probability: sigmoid(weigh(signals, weights)), signals };
    })
    .toSorted((a, b) => b.probability - a.probability || (a.tool < b.tool ? -1 : 1));
  const { count, expected } = expectedBest(
    weighed.map(({ probability }) => probability),
    MOST_MEMBERS,
  );
  return {
    members: weighed.slice(0, count),
    others: weighed.slice(count, count + MOST_OTHERS),
    expected,
  };
}
