import { relatedTerms, type Token, tokens } from '../../words/index.js';
import type { NearTerm, KnownTerms } from './known-terms.js';
import type { Postings } from './postings.js';

/** One word of a query: how much it tells, and the terms of the index that may stand for it. */
export interface QueryWord {
  readonly word: string;
  readonly weight: number;
  readonly alternatives: readonly NearTerm[];
}

const RELATED = 0.5;
/** Words beyond these add time, not meaning. */
const MOST_WORDS = 32;

export function readQuery(
  text: string,
  { postings, knownTerms }: { postings: Postings; knownTerms: KnownTerms },
): readonly QueryWord[] {
  const words = new Map(tokens(text).map(({ term, word }) => [term, word]));
  return [...words].slice(0, MOST_WORDS).map(([term, word]) => {
    const alternatives = alternativesFor({ term, word }, postings, knownTerms);
    return { word, weight: weightOf(term, alternatives, postings), alternatives };
  });
}

function alternativesFor(
  { term, word }: Token,
  postings: Postings,
  knownTerms: KnownTerms,
): NearTerm[] {
  const related = [...relatedTerms(term)]
    .filter((other) => postings.holding(other))
    .map((other) => ({ term: other, discount: RELATED }));
  if (postings.holding(term)) return [{ term, discount: 1 }, ...related];
  return [...knownTerms.near(term, word), ...related];
}

/**
 * Rare words tell most (the `idf` of BM25). A word nothing stands for weighs as much as the rarest:
 * what was asked for is not there, and scores should say so.
 */
function weightOf(term: string, alternatives: readonly NearTerm[], postings: Postings): number {
  const stand = postings.holding(term) ? [term] : alternatives.map((other) => other.term);
  const holders = stand.map((other) => postings.holding(other)?.size ?? 0);
  const rarest = holders.length > 0 ? Math.min(...holders) : 0;
  return Math.log(1 + (postings.size - rarest + 0.5) / (rarest + 0.5));
}
