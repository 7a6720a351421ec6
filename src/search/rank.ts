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

/** How much of a score depends on the query naming the tool rather than only describing it. */
const NAME_SHARE = 0.4;
const NAME = 0;

/**
 * BM25F: occurrences are weighted by field and diluted by the field's length before they are
 * saturated. The sum is divided by the best attainable one, of a tool that holds every word of the
 * query without end: a score is the share of the query that the tool covers, in [0, 1]. Part of it
 * is earned only as far as the query in turn covers the tool's name.
 */
export function scoreTools(words: readonly QueryWord[], postings: Postings): ScoredTool[] {
  const attainable = words.reduce((sum, { weight }) => sum + weight, 0);
  const totals = new Float64Array(postings.slots);
  const named = new Float64Array(postings.slots);
  const found: IndexedTool[] = [];
  for (const word of words) {
    const { tools, matches, inName } = matchWord(word, postings);
    for (const indexed of tools) {
      const { slot } = indexed;
      if (totals[slot] === 0) found.push(indexed);
      totals[slot]! += (word.weight / attainable) * matches[slot]!;
      named[slot]! += inName[slot]!;
    }
  }
  return found.map((indexed) => {
    const covered = Math.min(1, named[indexed.slot]! / Math.max(1, indexed.lengths[NAME]!));
    const score = totals[indexed.slot]! * (1 - NAME_SHARE + NAME_SHARE * covered);
    return { indexed, score };
  });
}

/** How well each tool answers one word, by slot: the best of the word's alternatives counts. */
function matchWord({ alternatives }: QueryWord, postings: Postings) {
  const norms = postings.norms();
  const matches = new Float64Array(postings.slots);
  const inName = new Float64Array(postings.slots);
  const tools: IndexedTool[] = [];
  for (const { term, discount } of alternatives) {
    // Not `for … of`: this is the innermost loop, and entries would be made for every tool.
    postings.holding(term)?.forEach((counts, indexed) => {
      const match = discount * saturate(occurrences(indexed, counts, norms));
      if (match <= matches[indexed.slot]!) return;
      if (matches[indexed.slot] === 0) tools.push(indexed);
      matches[indexed.slot] = match;
      inName[indexed.slot] = discount * counts[NAME]!;
    });
  }
  return { tools, matches, inName };
}

const saturate = (amount: number) => amount / (SATURATION + amount);

function occurrences({ slot }: IndexedTool, counts: FieldCounts, norms: Float64Array): number {
  let sum = 0;
  for (let field = 0; field < FIELDS.length; field++) {
    sum += counts[field]! * norms[slot * FIELDS.length + field]!;
  }
  return sum;
}

/** The words of the query a tool answers, in the order of the query. */
export function explain(
  words: readonly QueryWord[],
  indexed: IndexedTool,
  postings: Postings,
): readonly WordMatch[] {
  const norms = postings.norms();
  return words.flatMap(({ word, alternatives }) => {
    const held = alternatives.find(({ term }) => indexed.terms.has(term));
    const counts = held && indexed.terms.get(held.term);
    if (!counts) return [];
    const shares = counts.map((count, i) => count * norms[indexed.slot * FIELDS.length + i]!);
    const field = shares.indexOf(Math.max(...shares));
    return [{ word, field: FIELDS[field]?.name ?? 'name' }];
  });
}
