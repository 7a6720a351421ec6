import { editDistance } from './edit-distance.js';
import { nameParts } from './name-parts.js';

/** What the place (`server`) counts beside the name itself. */
const PLACE_SHARE = 0.25;
/** Below this a name is no help to whoever mistyped another. */
const MIN_LIKENESS = 0.45;

interface SplitName {
  readonly place: string;
  readonly own: string;
  readonly words: readonly string[];
}

/**
 * The known names most like a mistyped one, best first: alike letter by letter, or made of the same
 * words in another order. Names are `place:name` or `place__name`, or just the name.
 */
export function nearestNames(
  name: string,
  known: Iterable<string>,
  limit: number,
): readonly string[] {
  const meant = splitName(name);
  const scored: { readonly name: string; readonly score: number }[] = [];
  for (const candidate of known) {
    const score = likeness(meant, splitName(candidate));
    if (score >= MIN_LIKENESS) scored.push({ name: candidate, score });
  }
  return scored
    .toSorted((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map((one) => one.name);
}

function splitName(name: string): SplitName {
  const [, place = '', own = name] = /^(.+?)(?::|__)(.+)$/s.exec(name) ?? [];
  return {
    place: place.toLowerCase(),
    own: own.toLowerCase(),
    words: nameParts(own).map(singular),
  };
}

/** `issues` and `issue` are one word to whoever forgets which it was. */
function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function likeness(meant: SplitName, other: SplitName): number {
  const own = Math.max(textLikeness(meant.own, other.own), wordLikeness(meant.words, other.words));
  if (meant.place === '') return own;
  return (1 - PLACE_SHARE) * own + PLACE_SHARE * placeLikeness(meant.place, other.place);
}

function textLikeness(one: string, other: string): number {
  const longest = Math.max(one.length, other.length);
  const limit = Math.floor(longest / 2);
  const distance = editDistance(one, other, limit);
  return distance > limit ? 0 : 1 - distance / longest;
}

/** Dice: twice the shared words over all words. */
function wordLikeness(one: readonly string[], other: readonly string[]): number {
  const left = [...other];
  for (const word of one) {
    const at = left.findIndex((candidate) => isSameWord(word, candidate));
    if (at >= 0) left.splice(at, 1);
  }
  const shared = other.length - left.length;
  return (2 * shared) / Math.max(1, one.length + other.length);
}

function isSameWord(one: string, other: string): boolean {
  return one === other || (one.length > 4 && editDistance(one, other, 1) <= 1);
}

/** People shorten the names of servers: `gh` for `github`, `fs` for `filesystem`. */
function placeLikeness(one: string, other: string): number {
  return isShortFor(one, other) ? 0.9 : textLikeness(one, other);
}

function isShortFor(short: string, long: string): boolean {
  if (short === long || short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}
