import { EMPTY_IN_REQUESTS } from './empty-words.js';
import { QUOTED } from './request-values.js';
import { MOST_CHARACTERS } from './split-needs.js';

const TOKEN = /\S+/gu;
const SENTENCE_END = /[.!?:]["')\]]*$/;
const EDGES = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const PLAIN = /^\p{L}+(?:['’-]\p{L}+)*$/u;
const NAME = /^\p{Lu}/u;

/** A request as far as it says what is to be done. */
export interface RequestWords {
  /**
   * Without what it is about this time: quoted texts, names, numbers, paths, addresses. The same words
   * ask for the same to be done, to whatever it is.
   */
  readonly words: readonly string[];
  /** Those it names, which may be who is to do it. */
  readonly names: readonly string[];
}

export function requestWords(intent: string): RequestWords {
  const words: string[] = [];
  const names: string[] = [];
  let isFirst = true;
  for (const [token] of intent.slice(0, MOST_CHARACTERS).replaceAll(QUOTED, '""').matchAll(TOKEN)) {
    const word = token.replaceAll(EDGES, '');
    if (word === '') continue;
    if (PLAIN.test(word) && !EMPTY_IN_REQUESTS.has(word.toLowerCase())) {
      const isName = !isFirst && NAME.test(word);
      (isName ? names : words).push(word.toLowerCase());
    }
    isFirst = SENTENCE_END.test(token);
  }
  return { words, names };
}
