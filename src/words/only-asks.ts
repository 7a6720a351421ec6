import { ASKS_ONLY_TO_KNOW, ASKS_TO_KNOW, REFUSALS } from './request-grammar.js';
import { changeWord } from './verbs.js';
import { wordSet } from './word-set.js';

/** Words that may stand before what is asked for: "could you please", "I can't", "we need to". */
const BEFORE_WISH = wordSet(
  "a and also then so please hey hi hello ok okay can can't can’t cannot could would will you i i'd we like want need to just now me help",
);
/** These begin orders as well: "do the usual thing", "have it ready". */
const ORDERS_TOO = wordSet('do have');
const PART_END = /[.,;:!?\n]+|\band\b|\bthen\b|\bor\b/u;
const WORD = /[\p{L}\p{N}'’-]+/gu;

/**
 * Whether a request only wants to know something: it begins as a question or with a verb that reads, or
 * ends with a question, and no part of it begins with a verb that changes something. "Could you switch
 * it off?" is no question.
 */
export function onlyAsks(request: string): boolean {
  const text = request.trim().toLowerCase();
  const parts = text.split(PART_END).filter((part) => part.trim() !== '');
  const firsts = parts.flatMap((part) => firstWord(part) ?? []);
  const [first = ''] = firsts;
  const [last = ''] = parts.at(-1)?.match(WORD) ?? [];
  const isMarked = text.endsWith('?');
  const isOrder = ORDERS_TOO.has(first) && !isMarked;
  const beginsAsking = ASKS_ONLY_TO_KNOW.has(first) || ASKS_TO_KNOW.has(first);
  const asks = (beginsAsking && !isOrder) || (isMarked && ASKS_ONLY_TO_KNOW.has(last));
  return asks && !firsts.some((word) => changeWord(word) !== undefined);
}

/** "Do not send it" begins with what it refuses. */
function firstWord(part: string): string | undefined {
  const words = part.match(WORD) ?? [];
  const at = words.findIndex((word) => !BEFORE_WISH.has(word));
  const [word = '', next = ''] = at < 0 ? [] : words.slice(at);
  if (word === 'do' && REFUSALS.has(next)) return words[at + 2];
  return word === '' ? undefined : word.replace(/['’](?:s|re|d|ll)$/, '');
}
