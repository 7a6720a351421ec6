import { nameParts } from '../core/index.js';
import { DANGEROUS } from './danger-words.js';

/** Servers put these, or their own name, before every tool. */
const PREFIXES: ReadonlySet<string> = new Set(['api', 'mcp', 'tool', 'tools']);

/** The words of a tool's own name. At least one remains: a server `delete` may well have a tool `delete`. */
export function withoutPrefix(words: readonly string[], server: string): readonly string[] {
  const own = new Set(nameParts(server));
  const isPrefix = (word: string) => (own.has(word) ? !DANGEROUS.has(word) : PREFIXES.has(word));
  let length = 0;
  while (length < words.length - 1 && isPrefix(words[length] ?? '')) length++;
  return words.slice(length);
}
