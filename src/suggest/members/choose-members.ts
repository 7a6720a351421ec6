import type { ToolId } from '../../core/index.js';
import { weigh, expectedBest, sigmoid } from '../../learning/index.js';
import type { Likely } from '../evidence.js';
import type { MemberCandidate } from './member-signals.js';

/** A tool with what was weighed of it. */
export interface WeighedMember extends Likely {
  /** One number for each of `MEMBER_SIGNALS`. */
  readonly signals: Float64Array;
  /** What trace features add to its log-odds, where they are in use. */
  readonly added?: number;
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
  added?: (tool: ToolId) => number,
): ChosenMembers {
  const weighed = candidates
    .map(({ tool, signals }): WeighedMember => {
      const odds = weigh(signals, weights);
      if (!added) return { tool, probability: sigmoid(odds), signals };
      const more = added(tool);
      return { tool, probability: sigmoid(odds + more), signals, added: more };
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
