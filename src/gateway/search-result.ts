import { type Ranking, signalsOf } from '../discovery/index.js';
import type { SearchHit, SearchResult, ToolIndex } from '../search/index.js';

/** From here on a tool stands out by its meaning, in deviations above the usual. */
const SPEAKING_MEANING = 2.5;
/** The share of like requests from which on it is worth saying. */
const SPEAKING_VOTE = 0.2;

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
    return {
      tool: ranked.tool,
      score: ranked.probability,
      matches: index.explain(intent, ranked.tool.id),
      reasons: [
        ...(isProven ? ['used for similar'] : []),
        ...(meaning >= SPEAKING_MEANING ? ['meaning'] : []),
      ],
    };
  });
  return { hits, matched };
}
