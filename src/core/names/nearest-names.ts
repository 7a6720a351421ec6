import { editDistance } from './edit-distance.js';
import { nameParts } from './name-parts.js';

/** The weight of the place (`server`) beside the name itself. */
const PLACE_SHARE = 0.25;
/** Only so many names are compared letter by letter, which is slow. */
const SHORTLIST = 60;

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
  const pairs = letterPairs(meant.own);
  const candidates = Array.from(known, (one) => ({ name: one, split: splitName(one) }));
  const shortlist = best(candidates, ({ split }) => roughLikeness(meant, split, pairs), SHORTLIST);
  return best(shortlist, ({ split }) => likeness(meant, split), limit).map((one) => one.name);
}

/** The first few by score, those of equal score by name. */
function best<Item extends { readonly name: string }>(
  items: readonly Item[],
  scoreOf: (item: Item) => number,
  count: number,
): readonly Item[] {
  return items
    .map((item) => ({ item, score: scoreOf(item) }))
    .toSorted((a, b) => b.score - a.score || (a.item.name < b.item.name ? -1 : 1))
    .slice(0, count)
    .map(({ item }) => item);
}

function splitName(name: string): SplitName {
  const [, place = '', own = name] = /^(.+?)(?::|__)(.+)$/s.exec(name) ?? [];
  return {
    place: place.toLowerCase(),
    own: own.toLowerCase(),
    words: nameParts(own).map(singular),
  };
}

/** `issues` and `issue` count as one word, since users confuse them. */
function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function likeness(meant: SplitName, other: SplitName): number {
  const own = Math.max(textLikeness(meant.own, other.own), wordLikeness(meant.words, other.words));
  if (meant.place === '') return own;
  return (1 - PLACE_SHARE) * own + PLACE_SHARE * placeLikeness(meant.place, other.place);
}

/** Cheap enough for every known name: pairs of adjacent letters that both have, in any order. */
function roughLikeness(meant: SplitName, other: SplitName, pairs: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of letterPairs(other.own)) if (pairs.has(pair)) shared++;
  const own = shared / Math.max(1, pairs.size + other.own.length);
  return meant.place === other.place ? own + PLACE_SHARE / 4 : own;
}

function letterPairs(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at <= text.length; at++) pairs.add(text.slice(Math.max(0, at - 1), at + 1));
  return pairs;
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
