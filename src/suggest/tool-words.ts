import type { CatalogTool } from '../core/index.js';
import { tokenize } from '../words/index.js';

/** What a tool says of itself, word by word. */
export interface ToolWords {
  /** Of its name, in order. */
  readonly name: readonly string[];
  /** Of its name and the beginning of its description. */
  readonly all: ReadonlySet<string>;
}

const MOST_WORDS = 40;

const known = new WeakMap<CatalogTool, ToolWords>();

export function wordsOf(tool: CatalogTool): ToolWords {
  const before = known.get(tool);
  if (before) return before;
  const { name: title, description = '' } = tool.definition;
  const name = tokenize(title);
  const words = { name, all: new Set([...name, ...tokenize(description).slice(0, MOST_WORDS)]) };
  known.set(tool, words);
  return words;
}
