import { splitCamelCase } from '../core/index.js';
import { EMPTY_IN_SEARCH } from './empty-words.js';
import { stem } from './stem.js';

/** A word of the text and the term it is found by. */
export interface Token {
  readonly term: string;
  readonly word: string;
}

const MARKS = /\p{M}+/gu;
const WORD = /[\p{L}\p{N}]+/gu;

/** Terms in the order of the text: words split, folded, stemmed, without those that say nothing. */
export function tokenize(text: string): string[] {
  return tokens(text).map(({ term }) => term);
}

/** Like `tokenize`, with the word each term comes from. */
export function tokens(text: string): Token[] {
  const plain = splitCamelCase(text).normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
  const words: readonly string[] = plain.match(WORD) ?? [];
  return words
    .filter((word) => !EMPTY_IN_SEARCH.has(word))
    .map((word) => ({ term: stem(word), word }));
}

/** All words of a text as they are written, in lower case. */
export function plainWords(text: string): readonly string[] {
  return text.toLowerCase().match(WORD) ?? [];
}
