/** What ranking and planning weigh, in words that a user knows. */

interface Weighed {
  readonly signal: string;
  /** What it added to the score. */
  readonly share: number;
}

/** What is said when it speaks for a tool, and when it speaks against it. */
type Phrases = readonly [speaksFor: string, speaksAgainst: string];

const MEANING: Phrases = ['it means the same', 'it means something else'];
const WORDS: Phrases = ['its text has your words', 'its text lacks your words'];
const PAST: Phrases = ['it served requests like this', 'requests like this were served by others'];
const SERVER: Phrases = ['its server fits', 'its server does not fit'];
const OFTEN: Phrases = ['it is used often', 'it is used rarely'];
const WORKS: Phrases = ['its calls usually work', 'its calls fail more often than usual'];
const TOGETHER: Phrases = ['it is used with the other tools', 'it is rarely used with the others'];
const NAMED: Phrases = ['you named it', 'you named another one'];
const FITS: Phrases = ['it fits the request', 'it fits the request poorly'];
const RIVALS: Phrases = ['nothing else does the same', 'another tool does the same'];

const PHRASES: Readonly<Record<string, Phrases>> = {
  words: WORDS,
  coverage: WORDS,
  needWords: WORDS,
  meaning: MEANING,
  needMeaning: MEANING,
  needsMeaning: MEANING,
  capability: MEANING,
  server: SERVER,
  serverVote: SERVER,
  serverUses: SERVER,
  repeat: PAST,
  vote: PAST,
  sureVote: PAST,
  near: PAST,
  pastWords: PAST,
  needVote: PAST,
  needLift: PAST,
  similar: PAST,
  surelySimilar: PAST,
  nearest: PAST,
  repeated: PAST,
  uses: OFTEN,
  company: TOGETHER,
  apart: ['it is called with the others', 'it is often called alone'],
  required: ['another step needs its result', 'no other step needs its result'],
  supplied: ['it takes the result of another step', 'no other step gives it a value'],
  reliability: WORKS,
  replaced: ['runs like this used it', 'runs like this did without it'],
  instead: ['it replaces a tool that fails', 'the tool that it replaces works'],
  rejected: ['people approved it', 'people rejected it'],
  named: NAMED,
  outnamed: NAMED,
  rivals: RIVALS,
  variant: RIVALS,
  likely: FITS,
  likelyShare: FITS,
  first: ['it fits best of all tools', 'other tools fit better'],
  related: ['it belongs to what was just called', 'it has nothing to do with what was just called'],
  next: ['it usually comes next', 'something else usually comes next'],
  overlap: ['part of it was just called', 'nothing of it was just called'],
  unasked: ['it only reads', 'it changes something, and you only asked'],
  outdated: ['it is current', 'its own description calls it deprecated'],
  trained: PAST,
  size: ['runs like this have so many steps', 'runs like this have fewer steps'],
};

/** Less than this is not worth a word. */
const LEAST_SHARE = 0.05;

/** Why a tool stands where it does, strongest first and each reason once: signals of one thing add up. */
export function describeReasons(signals: readonly Weighed[], most: number): readonly string[] {
  const shares = new Map<Phrases, number>();
  for (const { signal, share } of signals) {
    const phrases = PHRASES[signal];
    if (phrases) shares.set(phrases, (shares.get(phrases) ?? 0) + share);
  }
  const told = [...shares]
    .filter(([, share]) => Math.abs(share) >= LEAST_SHARE)
    .toSorted(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  // What speaks for it comes first.
  const inFavour = told.flatMap(([[phrase], share]) => (share > 0 ? [phrase] : []));
  const against = told.flatMap(([[, phrase], share]) => (share > 0 ? [] : [`but ${phrase}`]));
  return [...inFavour, ...against].slice(0, most);
}
