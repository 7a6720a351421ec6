import { nameParts } from '../core/index.js';
import { JOINS } from './danger-words.js';
import { isGluedVerb } from './glued-verbs.js';
import { dangerousObject } from './name-danger.js';
import { withoutPrefix } from './name-prefix.js';
import {
  ADJECTIVES,
  NOUNS_AFTER_READS,
  NOUNS_ALONE,
  NOUNS_AT_START,
  READS,
  READS_OR_NOUN,
  RECORDS,
  STATES,
  TRANSPORTS,
  WRITES,
  WRITES_AT_START,
  WRITES_OR_NOUN,
} from './writing-words.js';

/** The word by which a name says that its tool changes something, whatever its server promises. */
export function nameWrites(tool: string, server: string): string | undefined {
  const parts = withoutPrefix(nameParts(tool), server, mayWrite);
  const words = parts.map((word) => word.replace(/\d+$/, ''));
  let isObject = false;
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    if (JOINS.has(word)) {
      // A second verb follows: `get_or_create`, `search_and_replace`.
      if (next !== undefined && (isVerb(next) || WRITES_OR_NOUN.has(next))) return next;
    } else if (isObject) {
      if (isVerb(word) && !NOUNS_AFTER_READS.has(word)) return word;
    } else {
      if (isVerb(word) || isVerbHere(words, at) || dangerousObject(words, at)) return word;
      isObject = READS.has(word);
    }
  }
  return savesFile(words) ? 'to file' : undefined;
}

function mayWrite(word: string): boolean {
  return isVerb(word) || WRITES_OR_NOUN.has(word) || WRITES_AT_START.has(word);
}

function isVerb(word: string): boolean {
  return WRITES.has(word) || isGluedVerb(word);
}

function isVerbHere(words: readonly string[], at: number): boolean {
  const [before, word = '', next = ''] = [words[at - 1] ?? '', words[at], words[at + 1]];
  const isFirst = at === 0;
  if (WRITES_OR_NOUN.has(word)) {
    return !ADJECTIVES.has(before) && !isOwner(word, next, isFirst) && !isListed(words, at);
  }
  if (!isFirst || !WRITES_AT_START.has(word)) return false;
  if (next === '') return !NOUNS_ALONE.has(word);
  return !isOwner(word, next, isFirst) && !READS.has(next) && !READS_OR_NOUN.has(next);
}

/** Whether the next word belongs to a thing that this word names: `run_status`, but `upload_logs`. */
function isOwner(word: string, next: string, isFirst: boolean): boolean {
  if (STATES.has(next)) return !isFirst || NOUNS_AT_START.has(word) || TRANSPORTS.has(word);
  return RECORDS.has(next) && (!isFirst || NOUNS_AT_START.has(word));
}

/** In `list_workflow_run_artifacts` the plural says that `list` is the verb. */
function isListed(words: readonly string[], at: number): boolean {
  const isBeforePlural = at < words.length - 1 && words.at(-1)?.endsWith('s') === true;
  return (
    isBeforePlural && NOUNS_AT_START.has(words[at] ?? '') && words.slice(0, at).includes('list')
  );
}

/** `download_bytes_to_file` reads a server and writes the disk. */
function savesFile(words: readonly string[]): boolean {
  return words.some((word, at) => word === 'to' && /^(disk|file|files)$/.test(words[at + 1] ?? ''));
}
