import { nameParts } from '../core/index.js';

/** Servers put these, or their own name, before every tool. */
const PREFIXES: ReadonlySet<string> = new Set(['api', 'mcp', 'tool', 'tools']);

/**
 * The words of a tool's own name. A word that says something stays, though the server is named after it:
 * a server `delete` may well have a tool `delete_all`. At least one word remains.
 */
export function withoutPrefix(
  words: readonly string[],
  server: string,
  saysSomething: (word: string) => boolean,
): readonly string[] {
  const own = new Set(nameParts(server));
  const isPrefix = (word: string) => (own.has(word) ? !saysSomething(word) : PREFIXES.has(word));
  let length = 0;
  while (length < words.length - 1 && isPrefix(words[length] ?? '')) length++;
  return words.slice(length);
}
