import { type CatalogTool, nameParts, parseToolId, type ToolId } from '../core/index.js';
import { tokenize } from './tokenize.js';

/** What a tool says of itself, word by word. */
export interface ToolWords {
  /** Of its name, in order. */
  readonly name: readonly string[];
  /** Of its name and the beginning of its description. */
  readonly all: ReadonlySet<string>;
}

const MOST_WORDS = 40;

const wordsByTool = new WeakMap<CatalogTool, ToolWords>();

export function wordsOf(tool: CatalogTool): ToolWords {
  const before = wordsByTool.get(tool);
  if (before) return before;
  const { name: title, description = '' } = tool.definition;
  const name = tokenize(title);
  const words = { name, all: new Set([...name, ...tokenize(description).slice(0, MOST_WORDS)]) };
  wordsByTool.set(tool, words);
  return words;
}

/** What a tool does, as its name begins: nearly all say so. */
export function verbOf(tool: ToolId): string {
  return partsOf(tool)[0] ?? '';
}

const partsById = new Map<ToolId, readonly string[]>();
/** More tools than any real set-up has. */
const MOST_KNOWN = 50_000;

function partsOf(tool: ToolId): readonly string[] {
  const parts = partsById.get(tool);
  if (parts) return parts;
  if (partsById.size >= MOST_KNOWN) partsById.clear();
  const name = parseToolId(tool).tool;
  const read = nameParts(name.slice(name.lastIndexOf('/') + 1));
  partsById.set(tool, read);
  return read;
}
