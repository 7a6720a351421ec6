import { parse } from 'smol-toml';

import { isJsonObject, type JsonValue } from '../../core/index.js';

/** The header of a table and everything up to the next header. */
export interface TomlSection {
  /** Keys of the header, such as `mcp_servers` and `github`. */
  readonly path: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The tables of a valid text, in order. What stands before the first header belongs to none. */
export function tomlSections(text: string): readonly TomlSection[] {
  const headers = headerOffsets(text);
  return headers.map((start, index) => {
    const end = headers[index + 1] ?? text.length;
    return { path: headerPath(text.slice(start, end)), start, end };
  });
}

/** Ends of strings that may hold brackets and line breaks, the longest quotes first. */
const STRINGS: readonly (readonly [string, RegExp])[] = [
  ['"""', /(?:[^\\]|\\[\s\S])*?"""(?!")/y],
  ["'''", /[\s\S]*?'''(?!')/y],
  ['"', /(?:[^\\"\n]|\\.)*"/y],
  ["'", /[^'\n]*'/y],
];

/** Where a line begins with a header: not within a string, an array or an inline table. */
function headerOffsets(text: string): readonly number[] {
  const found: number[] = [];
  let depth = 0;
  let isLineStart = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '\n') isLineStart = true;
    else if (character === '#') at = endOfLine(text, at) - 1;
    else if (/\s/.test(character)) continue;
    else {
      if (isLineStart && depth === 0 && character === '[') found.push(at);
      if (isLineStart && depth === 0 && character === '[') at = endOfHeader(text, at) - 1;
      else if ('[{'.includes(character)) depth += 1;
      else if (']}'.includes(character)) depth -= 1;
      else at = endOfString(text, at) - 1;
      isLineStart = false;
    }
  }
  return found;
}

/** Keys of a header may be quoted and hold any character but a line break. */
function endOfHeader(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\n') return at;
    at = endOfString(text, at) - 1;
  }
  return text.length;
}

/** The place after the string that begins here, or after this character if none does. */
function endOfString(text: string, at: number): number {
  const [quote, end] = STRINGS.find(([one]) => text.startsWith(one, at)) ?? [];
  if (quote === undefined || end === undefined) return at + 1;
  end.lastIndex = at + quote.length;
  return end.test(text) ? end.lastIndex : text.length;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function headerPath(section: string): readonly string[] {
  const header = section.slice(0, endOfLine(section, 0));
  const path: string[] = [];
  let current: JsonValue = JSON.parse(JSON.stringify(parse(`${header}\n`))) as JsonValue;
  for (;;) {
    const inner: JsonValue = Array.isArray(current) ? (current[0] ?? null) : current;
    const [key] = isJsonObject(inner) ? Object.keys(inner) : [];
    if (key === undefined || !isJsonObject(inner)) return path;
    path.push(key);
    current = inner[key] ?? null;
  }
}
