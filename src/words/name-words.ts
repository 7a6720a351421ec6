import { EMPTY_IN_DESCRIPTIONS } from './empty-words.js';
import { spelledAlike } from './synonyms.js';

/** Splits names and texts into words that can be compared: `artistIds` → `artist`, `id`. */

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\d+/gu;

/** Words that nearly every name could have: alike in them alone, two names are hardly alike. */
const COMMON = new Set(
  'id name type value data result info information detail list item status state code date time number text url key title description count total page limit query response output input object body message success error'.split(
    ' ',
  ),
);
const COMMON_WEIGHT = 0.35;

/** Words of a name, in order, one spelling each. */
export function nameWords(name: string): readonly string[] {
  const words = name.match(WORD) ?? [];
  return words.flatMap((word) => spelledAlike(word.toLowerCase()).split(' '));
}

/** Words of a text that say something, once each. */
export function textWords(text: string): ReadonlySet<string> {
  return new Set(
    nameWords(text).filter((word) => word.length > 1 && !EMPTY_IN_DESCRIPTIONS.has(word)),
  );
}

/** How much it says that two names share this word. */
export function wordWeight(word: string): number {
  return COMMON.has(word) || word.length === 1 ? COMMON_WEIGHT : 1;
}
