import { type Ranking, signalsOf } from '../discovery/index.js';
import type { SearchHit, SearchResult, ToolIndex } from '../search/index.js';

/** From here on a tool stands out by its meaning, in deviations above the usual. */
const SPEAKING_MEANING = 2.5;
/** The share of like requests from which on it is worth saying. */
const SPEAKING_VOTE = 0.2;
/**
 * Below this probability the best tool is more likely wrong than right. On public data that is said
 * of 5 % of right answers, and of half of the requests that no tool is for.
 */
const WEAK = 0.2;

/** A ranking in the form answers are written from: only what may be shown is explained. */
export function searchResult(
  intent: string,
  { tools }: Ranking,
  { index, limit }: { readonly index: ToolIndex; readonly limit: number },
): SearchResult {
  const half = (tools[0]?.probability ?? 0) / 2;
  const matched = tools.filter(({ probability }) => probability >= half).length;
  const hits = tools.slice(0, limit).map((ranked): SearchHit => {
    const { vote, needVote, meaning } = signalsOf(ranked);
    const isProven = Math.max(vote, needVote) >= SPEAKING_VOTE;
    const matches = index.explain(intent, ranked.tool.id);
    // Where nothing else speaks for it, what little there is brought it here.
    const leastMeaning = isProven || matches.length > 0 ? SPEAKING_MEANING : 0;
    return {
      tool: ranked.tool,
      score: ranked.probability,
      matches,
      reasons: [
        ...(isProven ? ['used for similar'] : []),
        ...(meaning > leastMeaning ? ['meaning'] : []),
      ],
    };
  });
  return { hits, matched, isWeak: (tools[0]?.probability ?? 0) < WEAK };
}
