import { FIELDS, type FieldName } from './fields.js';
import type { FieldCounts, IndexedTool, Postings } from './postings.js';
import type { QueryWord } from './query.js';

export interface ScoredTool {
  readonly indexed: IndexedTool;
  readonly score: number;
}

/** Why a tool was found: a word of the query and the field that speaks for it most. */
export interface WordMatch {
  readonly word: string;
  readonly field: FieldName;
}

/** How fast further occurrences of a word stop counting (the `k1` of BM25). */
const SATURATION = 1.2;

/**
 * BM25F: occurrences are weighted by field and diluted by the field's length before they are
 * saturated. The sum is divided by the best attainable one, of a tool that holds every word of the
 * query without end: a score is the share of the query that the tool covers, in [0, 1].
 */
export function scoreTools(words: readonly QueryWord[], postings: Postings): ScoredTool[] {
  const attainable = words.reduce((sum, { weight }) => sum + weight, 0);
  const totals = new Float64Array(postings.slots);
  const found: IndexedTool[] = [];
  for (const word of words) {
    const { matches, tools } = matchWord(word, postings);
    for (const indexed of tools) {
      if (totals[indexed.slot] === 0) found.push(indexed);
      totals[indexed.slot]! += (word.weight / attainable) * (matches[indexed.slot] ?? 0);
    }
  }
  return found.map((indexed) => ({ indexed, score: totals[indexed.slot] ?? 0 }));
}

/** How well each tool answers one word, by slot: the best of the word's alternatives counts. */
function matchWord({ alternatives }: QueryWord, postings: Postings) {
  const averages = postings.averageLengths();
  const matches = new Float64Array(postings.slots);
  const tools: IndexedTool[] = [];
  for (const { term, discount } of alternatives) {
    for (const [indexed, counts] of postings.holding(term) ?? []) {
      const match = discount * saturate(occurrences(indexed, counts, averages));
      if (matches[indexed.slot] === 0) tools.push(indexed);
      if (match > (matches[indexed.slot] ?? 0)) matches[indexed.slot] = match;
    }
  }
  return { matches, tools };
}

const saturate = (amount: number) => amount / (SATURATION + amount);

function occurrences(
  indexed: IndexedTool,
  counts: FieldCounts,
  averages: readonly number[],
): number {
  let sum = 0;
  for (let field = 0; field < FIELDS.length; field++) {
    if (counts[field]) sum += fieldOccurrences(indexed, counts, { field, averages });
  }
  return sum;
}

function fieldOccurrences(
  { lengths }: IndexedTool,
  counts: FieldCounts,
  { field, averages }: { field: number; averages: readonly number[] },
): number {
  const { weight, lengthPenalty } = FIELDS[field]!;
  const relativeLength = lengths[field]! / averages[field]!;
  return (weight * counts[field]!) / (1 - lengthPenalty + lengthPenalty * relativeLength);
}

/** The words of the query a tool answers, in the order of the query. */
export function explain(
  words: readonly QueryWord[],
  indexed: IndexedTool,
  postings: Postings,
): readonly WordMatch[] {
  const averages = postings.averageLengths();
  return words.flatMap(({ word, alternatives }) => {
    const held = alternatives.find(({ term }) => indexed.terms.has(term));
    const counts = held && indexed.terms.get(held.term);
    if (!counts) return [];
    const shares = FIELDS.map((_, field) =>
      counts[field] ? fieldOccurrences(indexed, counts, { field, averages }) : 0,
    );
    const field = shares.indexOf(Math.max(...shares));
    return [{ word, field: FIELDS[field]?.name ?? 'name' }];
  });
}
