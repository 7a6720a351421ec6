import { findNodeAtLocation, parseTree } from 'jsonc-parser';

import type { JsonValue } from '../../core/index.js';

/**
 * Adds a key at the end of an object that has others in lines of their own, and changes no other
 * byte. Undefined for any other text: there is no place to take the form from.
 */
export function insertKey(
  text: string,
  path: readonly string[],
  value: JsonValue,
): string | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const parent = root && findNodeAtLocation(root, path.slice(0, -1));
  const key = path.at(-1);
  if (parent?.type !== 'object' || key === undefined) return undefined;
  const last = parent.children?.at(-1);
  if (!last || findNodeAtLocation(parent, [key])) return undefined;
  const lineStart = text.lastIndexOf('\n', last.offset - 1) + 1;
  const indent = text.slice(lineStart, last.offset);
  if (lineStart === 0 || indent.trim() !== '') return undefined;
  const end = last.offset + last.length;
  // A comment between the value and its comma, or a brace in the last line, is not taken apart.
  const after = /^(,?)([ \t]*(?:\/\/[^\n]*?)?)(\r?\n)/.exec(text.slice(end));
  if (!after) return undefined;
  const [whole, comma = '', beside = '', eol = '\n'] = after;
  const written = JSON.stringify(value, null, unitOf(indent, path.length)).replaceAll(
    '\n',
    `${eol}${indent}`,
  );
  const entry = `${indent}${JSON.stringify(key)}: ${written}${comma}${eol}`;
  return `${text.slice(0, end)},${beside}${eol}${entry}${text.slice(end + whole.length)}`;
}

/** One level of indentation, where a key of this depth has that much. */
function unitOf(indent: string, depth: number): string {
  if (indent.includes('\t')) return '\t';
  return ' '.repeat(Math.max(1, Math.round(indent.length / depth)));
}
