import type { JsonValue } from './json.js';

/** A value that nests deeper cannot be written out again: the serialiser runs out of stack. */
export const MOST_NESTING = 1_000;
/** Arrays and objects of one text. More of them take gigabytes, and block the process for seconds. */
const MOST_CONTAINERS = 2_000_000;

/**
 * How other values end, by their first sign. To refuse prose by its first and last sign takes a fraction
 * of the time of an exception.
 */
const SCALAR_ENDS: Readonly<Record<string, RegExp>> = { '"': /"/, t: /e/, f: /e/, n: /l/ };
const NUMBER_START = /[-\d]/;
const NUMBER_END = /\d/;

/** The space that JSON allows around a value is at or below it. */
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The value of a text that a server may have written; nothing if the text is not JSON, or is JSON
 * that PML cannot handle: then it stays a text.
 */
export function parseJson(text: string): JsonValue | undefined {
  const first = /\S/.exec(text)?.[0] ?? '';
  const isStructure = first === '{' || first === '[';
  if (isStructure ? !isManageable(text, MOST_CONTAINERS) : !mayBeScalar(text, first)) {
    return undefined;
  }
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // Many tools answer with what only looks like JSON; that is not an error.
  }
}

function mayBeScalar(text: string, first: string): boolean {
  const end = NUMBER_START.test(first) ? NUMBER_END : SCALAR_ENDS[first];
  return end !== undefined && end.test(lastSign(text));
}

function lastSign(text: string): string {
  let at = text.length - 1;
  while (at > 0 && text.charCodeAt(at) <= SPACE) at--;
  return text.charAt(at);
}

/** Whether JSON nests too deep, without parsing it: that takes a microsecond a level. */
export function nestsTooDeep(text: string): boolean {
  return !isManageable(text, Infinity);
}

/** Looks at brackets alone, so that a hostile text costs no parsing. */
function isManageable(text: string, mostContainers: number): boolean {
  let depth = 0;
  let containers = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        if (at < 0) return false;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MOST_NESTING || ++containers > mostContainers) return false;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return depth === 0;
}

/** Where the string that begins at `start` ends; -1 if it does not. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}
