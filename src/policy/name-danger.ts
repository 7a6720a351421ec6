import { nameParts } from '../core/index.js';
import {
  DANGEROUS,
  DANGEROUS_AT_END,
  DANGEROUS_AT_START,
  DANGEROUS_WITH,
  HARMLESS,
  JOINS,
  NOUN_MARKS,
} from './danger-words.js';
import { withoutPrefix } from './name-prefix.js';

/** What is dangerous about a tool by its name alone, as `delete` or `drop table`. The first verb decides. */
export function nameDanger(tool: string, server: string): string | undefined {
  const words = withoutPrefix(nameParts(tool), server, (word) => DANGEROUS.has(word));
  let decided = false;
  for (const [at, word] of words.entries()) {
    const verb = decided ? undefined : dangerAt(words, at);
    if (verb) return verb;
    if (JOINS.has(word)) decided = false;
    else if (HARMLESS.has(word)) decided = true;
  }
  return undefined;
}

function dangerAt(words: readonly string[], at: number): string | undefined {
  const word = words[at] ?? '';
  const next = words[at + 1] ?? '';
  const object = dangerousObject(words, at);
  if (object !== undefined) return `${word} ${object}`;
  if (DANGEROUS.has(word)) return isNoun(word, next) ? undefined : word;
  const isVerbHere =
    (at === 0 && DANGEROUS_AT_START.has(word)) ||
    (at === words.length - 1 && DANGEROUS_AT_END.has(word));
  return isVerbHere && !NOUN_MARKS.has(next) && !HARMLESS.has(next) ? word : undefined;
}

/** What makes a word dangerous that is harmless by itself: the disk of `format_disk`. */
export function dangerousObject(words: readonly string[], at: number): string | undefined {
  const objects = DANGEROUS_WITH.get(words[at] ?? '');
  return objects && words.slice(at + 1).find((other) => objects.has(other));
}

/** `deploy_status` and `deploy_list` are about deploys; `delete_log` still deletes a log. */
function isNoun(word: string, next: string): boolean {
  return word === 'deploy' && (NOUN_MARKS.has(next) || HARMLESS.has(next));
}
