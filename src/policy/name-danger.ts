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

export interface NameDanger {
  /** The words that say it: `delete`, `drop table`. */
  readonly verb: string;
  /** Whether nothing but the server's own name stands before them. */
  readonly leads: boolean;
}

/** Servers put these, or their own name, before every tool. */
const PREFIXES = new Set(['api', 'mcp', 'tool', 'tools']);

/** What is dangerous about a tool by its name alone. The first verb decides. */
export function nameDanger(tool: string, server: string): NameDanger | undefined {
  const words = nameParts(tool);
  const start = prefixLength(words, new Set(nameParts(server)));
  let decided = false;
  for (let at = start; at < words.length; at++) {
    const verb = decided ? undefined : dangerAt(words, at, start);
    if (verb) return { verb, leads: at === start };
    if (JOINS.has(words[at] ?? '')) decided = false;
    else if (HARMLESS.has(words[at] ?? '')) decided = true;
  }
  return undefined;
}

/** At least one word remains: a server `delete` may well have a tool `delete`. */
function prefixLength(words: readonly string[], own: ReadonlySet<string>): number {
  let length = 0;
  while (length < words.length - 1 && isPrefix(words[length] ?? '', own)) length++;
  return length;
}

function isPrefix(word: string, own: ReadonlySet<string>): boolean {
  return own.has(word) ? !DANGEROUS.has(word) : PREFIXES.has(word);
}

function dangerAt(words: readonly string[], at: number, start: number): string | undefined {
  const word = words[at] ?? '';
  const next = words[at + 1] ?? '';
  const object = words.slice(at + 1).find((other) => DANGEROUS_WITH.get(word)?.has(other));
  if (object !== undefined) return `${word} ${object}`;
  if (DANGEROUS.has(word)) return isNoun(word, next) ? undefined : word;
  const isVerbHere =
    (at === start && DANGEROUS_AT_START.has(word)) ||
    (at === words.length - 1 && DANGEROUS_AT_END.has(word));
  return isVerbHere && !NOUN_MARKS.has(next) && !HARMLESS.has(next) ? word : undefined;
}

/** `deploy_status` and `deploy_list` are about deploys; `delete_log` still deletes a log. */
function isNoun(word: string, next: string): boolean {
  return word === 'deploy' && (NOUN_MARKS.has(next) || HARMLESS.has(next));
}
