import { nameParts } from '../core/index.js';
import { JOINS } from './danger-words.js';
import { dangerousObject } from './name-danger.js';
import { withoutPrefix } from './name-prefix.js';
import {
  ADJECTIVES,
  BELONGINGS,
  GLUED,
  NOUNS_ALONE,
  NOUNS_AT_START,
  READS,
  READS_OR_NOUN,
  WRITES,
  WRITES_AT_START,
  WRITES_OR_NOUN,
} from './writing-words.js';

/** The word by which a name says that its tool changes something, whatever its server promises. */
export function nameWrites(tool: string, server: string): string | undefined {
  const words = withoutPrefix(nameParts(tool), server);
  let reader: 'none' | 'verb' | 'verb or noun' = 'none';
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (JOINS.has(word)) {
      // A second verb follows: `get_or_create`, `search_and_replace`.
      if (next !== undefined && (isVerb(next) || WRITES_OR_NOUN.has(next))) return next;
    } else if (reader === 'none') {
      if (isVerb(word) || isVerbHere(words, at) || dangerousObject(words, at)) return word;
      if (READS.has(word)) reader = 'verb';
      else if (READS_OR_NOUN.has(word)) reader = 'verb or noun';
    } else if (next === undefined && reader === 'verb or noun' && isVerb(word)) return word;
  }
  return savesFile(words) ? 'to file' : undefined;
}

function isVerb(word: string): boolean {
  return WRITES.has(word) || GLUED.test(word);
}

function isVerbHere(words: readonly string[], at: number): boolean {
  const [before, word = '', next] = [words[at - 1] ?? '', words[at], words[at + 1]];
  const isFirst = at === 0;
  if (WRITES_OR_NOUN.has(word)) {
    const mayBeNoun = !isFirst || NOUNS_AT_START.has(word);
    return !ADJECTIVES.has(before) && !(mayBeNoun && BELONGINGS.has(next ?? ''));
  }
  if (!isFirst || !WRITES_AT_START.has(word)) return false;
  if (next === undefined) return !NOUNS_ALONE.has(word);
  const isNoun = NOUNS_AT_START.has(word) && BELONGINGS.has(next);
  return !isNoun && !READS.has(next) && !READS_OR_NOUN.has(next);
}

/** `download_bytes_to_file` reads a server and writes the disk. */
function savesFile(words: readonly string[]): boolean {
  return words.some((word, at) => word === 'to' && /^(disk|file|files)$/.test(words[at + 1] ?? ''));
}
