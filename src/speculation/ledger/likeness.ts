import type { ToolId } from '../../core/index.js';
import { tokenize } from '../../words/index.js';

/** What is compared of a situation. */
export interface Moment {
  readonly client: string;
  readonly intent: string;
  /** Of the intent, each once. */
  readonly words: ReadonlySet<string>;
  /** The last tools that were called, newest last. */
  readonly last: readonly ToolId[];
}

/** How near two intents are in meaning, from 0 to 1, where a model has told. */
export type IntentLikeness = (one: string, other: string) => number | undefined;

/** What the calls just made, the intent and the client each say; together 1. */
const WEIGHT = { last: 0.5, intent: 0.4, client: 0.1 };
/** The call just made says most; each one before it half as much. */
const FADING = 0.5;
const MOST_LAST = 4;
const MOST_INTENT_WORDS = 60;

export function momentOf(client: string, intent: string, last: readonly ToolId[]): Moment {
  const words = new Set(tokenize(intent).slice(0, MOST_INTENT_WORDS));
  return { client, intent, words, last: last.slice(-MOST_LAST) };
}

/** How alike two situations are, from 0 to 1. */
export function likenessOf(one: Moment, other: Moment, byMeaning: IntentLikeness): number {
  return (
    WEIGHT.last * sameEnding(one.last, other.last) +
    WEIGHT.intent * sameIntent(one, other, byMeaning) +
    WEIGHT.client * (one.client === other.client ? 1 : 0)
  );
}

/** Two sessions in which nothing was called yet end alike. */
function sameEnding(one: readonly ToolId[], other: readonly ToolId[]): number {
  let [same, most, weight] = [0, 0, 1];
  const longest = Math.max(one.length, other.length);
  if (longest === 0) return 1;
  for (let back = 1; back <= longest; back++) {
    most += weight;
    const [own, theirs] = [one.at(-back), other.at(-back)];
    if (own !== undefined && own === theirs) same += weight;
    weight *= FADING;
  }
  return same / most;
}

/** Where neither client said what it wants, the intents say nothing against each other. */
function sameIntent(one: Moment, other: Moment, byMeaning: IntentLikeness): number {
  if (one.intent === other.intent) return 1;
  return byMeaning(one.intent, other.intent) ?? sharedWords(one.words, other.words);
}

function sharedWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const word of few) if (many.has(word)) shared++;
  return shared / Math.max(1, one.size + other.size - shared);
}
