import { type Columns, nameLength } from './columns.js';
import { FIELDS, type FieldName } from './fields.js';
import type { IndexedTool, Postings } from './postings.js';
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

export interface SearchTables {
  readonly postings: Postings;
  readonly columns: Columns;
}

/** How much of a score depends on the query naming the tool rather than only describing it. */
const NAME_SHARE = 0.4;

/**
 * Adds up what each word finds, divided by the best attainable sum, that of a tool which holds every
 * word of the query without end: a score is the share of the query that the tool covers, in [0, 1].
 * Part of it is earned only as far as the query in turn covers the tool's name.
 */
export function scoreTools(words: readonly QueryWord[], tables: SearchTables): ScoredTool[] {
  const { postings } = tables;
  const attainable = words.reduce((sum, { weight }) => sum + weight, 0);
  const totals = new Float64Array(postings.slots);
  const named = new Float64Array(postings.slots);
  const match = {
    strengths: new Float64Array(postings.slots),
    inName: new Float64Array(postings.slots),
  };
  for (const word of words) {
    for (const slot of matchWord(word, tables, match)) {
      totals[slot]! += (word.weight / attainable) * match.strengths[slot]!;
      named[slot]! += match.inName[slot]!;
      match.strengths[slot] = 0;
    }
  }
  return collect(totals, named, postings);
}

interface Match {
  readonly strengths: Float64Array;
  readonly inName: Float64Array;
}

/**
 * How well each tool answers one word, by slot: the best of the word's alternatives counts. Writes to
 * `match`, whose strengths must be 0, and returns the slots it wrote to.
 */
function matchWord(
  { alternatives }: QueryWord,
  { columns }: SearchTables,
  { strengths, inName }: Match,
): readonly number[] {
  const slots: number[] = [];
  for (const { term, discount } of alternatives) {
    const column = columns.of(term);
    for (let row = 0; row < column.slots.length; row++) {
      const slot = column.slots[row]!;
      const strength = discount * column.strengths[row]!;
      if (strength <= strengths[slot]!) continue;
      if (strengths[slot] === 0) slots.push(slot);
      strengths[slot] = strength;
      inName[slot] = discount * column.inName[row]!;
    }
  }
  return slots;
}

function collect(totals: Float64Array, named: Float64Array, postings: Postings): ScoredTool[] {
  const scored: ScoredTool[] = [];
  for (let slot = 0; slot < totals.length; slot++) {
    const indexed = totals[slot]! > 0 ? postings.at(slot) : undefined;
    if (!indexed) continue;
    const covered = Math.min(1, named[slot]! / Math.max(1, nameLength(indexed)));
    scored.push({ indexed, score: totals[slot]! * (1 - NAME_SHARE + NAME_SHARE * covered) });
  }
  return scored;
}

/** The words of the query a tool answers, in the order of the query. */
export function wordMatches(
  words: readonly QueryWord[],
  indexed: IndexedTool,
  columns: Columns,
): readonly WordMatch[] {
  return words.flatMap(({ word, alternatives }) => {
    const held = alternatives.find(({ term }) => indexed.terms.has(term));
    const counts = held && indexed.terms.get(held.term);
    if (!counts) return [];
    const shares = columns.shares(indexed, counts);
    const field = shares.indexOf(Math.max(...shares));
    return [{ word, field: FIELDS[field]?.name ?? 'name' }];
  });
}
