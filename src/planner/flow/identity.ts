import { ANYTHING, ID_WORDS, PEOPLE, ROLES, SAME_THINGS, WHICH_ONE } from '../../words/index.js';

export interface Identity {
  /** The words for the thing that the id belongs to. */
  readonly thing: ReadonlySet<string>;
  /** The thing stands in the name itself, not only in the names around it. */
  readonly isNamed: boolean;
}

/** The thing that a name identifies. Undefined if it is no id, or if it could identify anything. */
export function identityOf(
  words: readonly string[],
  around: readonly (Iterable<string> | undefined)[],
): Identity | undefined {
  if (!words.some((word) => ID_WORDS.has(word))) return undefined;
  for (const some of [words, ...around]) {
    const thing = new Set([...(some ?? [])].filter(isNoun));
    if (thing.size === 0) continue;
    const isNamed = some === words;
    const anything = [...thing].filter((word) => ANYTHING.has(word)).length;
    // The names around it are weaker evidence: a trending item may be anything.
    if (anything === thing.size || (anything > 0 && !isNamed)) return undefined;
    return { thing, isNamed };
  }
  return undefined;
}

function isNoun(word: string): boolean {
  return !ID_WORDS.has(word) && !WHICH_ONE.has(word);
}

/** Whether both are ids and belong to different things. */
export function areOfDifferentThings(a: Identity | undefined, b: Identity | undefined): boolean {
  if (!a || !b) return false;
  for (const word of a.thing) if (b.thing.has(word)) return false;
  return !areBoth(a, b, ROLES, PEOPLE) && !SAME_THINGS.some((words) => areBoth(a, b, words, words));
}

function areBoth(
  a: Identity,
  b: Identity,
  some: ReadonlySet<string>,
  others: ReadonlySet<string>,
): boolean {
  const has = ({ thing }: Identity, words: ReadonlySet<string>) =>
    [...thing].some((word) => words.has(word));
  return (has(a, some) && has(b, others)) || (has(b, some) && has(a, others));
}
