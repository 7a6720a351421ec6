import { namedSignals, type RankedTool, type Signal } from '../../ranking/index.js';
import type { ToolIndex } from '../../search/index.js';
import type { ToolMatch } from '../../tool-text/index.js';
import { splitNeeds } from '../../words/index.js';
import type { Ranking } from '../weighed-tools.js';

/** What was found for an intent, in the form answers are written from. */
export interface FoundHits {
  /** Best first. */
  readonly hits: readonly ToolMatch[];
  /** Tools that score at least half as well as the best, shown or not. */
  readonly matched: number;
  /** Whether even the best is more likely wrong than right. Default: judged by its score. */
  readonly isWeak?: boolean;
}

/** From here on a tool stands out by its meaning, in deviations above the usual. */
const SPEAKING_MEANING = 2.5;
/** The share of like requests from which on it is worth saying. */
const SPEAKING_VOTE = 0.2;
/**
 * Below this score the best tool is more likely wrong than right. Of probabilities that is said, on
 * public data, of 5 % of right answers, and of half of the requests that no tool is for; of words it
 * is the share of the query that the tool covers.
 */
export const WEAK = 0.2;

/** What spoke for a tool, by name. */
export function signalsOf({ signals }: RankedTool): Readonly<Record<Signal, number>> {
  return namedSignals(signals);
}

/** Only what may be shown is explained. */
export function foundHits(
  intent: string,
  { tools }: Ranking,
  { index, limit }: { readonly index: ToolIndex; readonly limit: number },
): FoundHits {
  const needs = splitNeeds(intent);
  const half = (tools[0]?.probability ?? 0) / 2;
  const matched = tools.filter(({ probability }) => probability >= half).length;
  const hits = tools.slice(0, limit).map((ranked): ToolMatch => {
    const { repeat, vote, needVote, meaning } = signalsOf(ranked);
    const isProven = Math.max(repeat, vote, needVote) >= SPEAKING_VOTE;
    const matches = index.matches(intent, ranked.tool.id);
    // Where nothing else speaks for it, what little there is brought it here.
    const leastMeaning = isProven || matches.length > 0 ? SPEAKING_MEANING : 0;
    const need = ranked.need === undefined ? undefined : needs[ranked.need];
    return {
      tool: ranked.tool,
      score: ranked.probability,
      matches,
      ...(need !== undefined && { need }),
      reasons: [
        ...(isProven ? ['used for similar'] : []),
        ...(meaning > leastMeaning ? ['meaning'] : []),
      ],
    };
  });
  return { hits, matched, isWeak: (tools[0]?.probability ?? 0) < WEAK };
}
