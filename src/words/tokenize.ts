import { stem } from './stem.js';

/** A word of the text and the term it is found by. */
export interface Token {
  readonly term: string;
  readonly word: string;
}

const CAMEL = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const MARKS = /\p{M}+/gu;
const WORD = /[\p{L}\p{N}]+/gu;

const STOP_WORDS = new Set(
  `a about all also am an and any are as at be been being but by can could did do does each either
  for from had has have how i if in into is it its itself just let me may might must my of on onto
  or our ours out please shall she should so some such than that the their them then there these
  they this those to too us via want wants was we were what when where which while who will with
  would you your yours`.split(/\s+/),
);

/** Terms in the order of the text: words split, folded, stemmed, without stop words. */
export function tokenize(text: string): string[] {
  return tokens(text).map(({ term }) => term);
}

/** Like `tokenize`, with the word each term comes from. */
export function tokens(text: string): Token[] {
  const plain = text.replaceAll(CAMEL, ' ').normalize('NFKD').replaceAll(MARKS, '').toLowerCase();
  const words: readonly string[] = plain.match(WORD) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map((word) => ({ term: stem(word), word }));
}
