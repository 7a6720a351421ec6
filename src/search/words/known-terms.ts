import { editDistance } from '../../core/index.js';

export interface NearTerm {
  readonly term: string;
  /** How much of a match it is worth, below 1. */
  readonly discount: number;
}

const SHORTEST = 4;
const LONG = 8;
const MISSPELT = 0.8;
const SHARED_BEGINNING = 0.7;
/** A shorter common beginning says more about English than about the two words. */
const LEAST_SHARE = 0.5;
const MOST = 6;

/**
 * All terms of the index, for query words that are none of them. Only terms with the same first
 * letter are compared: people rarely mistype that one, and it keeps the search short.
 */
export class KnownTerms {
  readonly #byLetter = new Map<string, Set<string>>();

  add(terms: readonly string[]): void {
    for (const term of terms) {
      const letter = term.slice(0, 1);
      const group = this.#byLetter.get(letter) ?? new Set();
      this.#byLetter.set(letter, group.add(term));
    }
  }

  remove(terms: readonly string[]): void {
    for (const term of terms) this.#byLetter.get(term.slice(0, 1))?.delete(term);
  }

  /** Terms a word may have meant, whose own `term` is unknown. Short words look like too many. */
  near(term: string, word: string): readonly NearTerm[] {
    if (word.length < SHORTEST) return [];
    const found: NearTerm[] = [];
    for (const other of this.#byLetter.get(term.slice(0, 1)) ?? []) {
      const discount = likeness(term, other);
      if (discount > 0) found.push({ term: other, discount });
    }
    return found.toSorted(byDiscount).slice(0, MOST);
  }
}

function likeness(term: string, other: string): number {
  const limit = term.length >= LONG ? 2 : 1;
  const edits = other.length < SHORTEST - 1 ? Infinity : editDistance(term, other, limit);
  if (edits <= limit) return MISSPELT / edits;
  const share = sharedBeginning(term, other) / Math.max(term.length, other.length);
  return share >= LEAST_SHARE ? SHARED_BEGINNING * share : 0;
}

/** Letters two words begin with in common, or 0 if they are too few to mean anything. */
function sharedBeginning(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length >= SHORTEST ? length : 0;
}

function byDiscount(one: NearTerm, other: NearTerm): number {
  return other.discount - one.discount || (one.term < other.term ? -1 : 1);
}
