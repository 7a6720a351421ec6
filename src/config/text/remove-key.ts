import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';

/**
 * The text without a key, its value and what its lines say beside them. Comments in other lines
 * stay, also those above the key. The text as it is if there is no such key.
 */
export function removeKey(text: string, path: readonly string[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const property = root && findNodeAtLocation(root, [...path])?.parent;
  if (property?.type !== 'property') return text;
  const siblings = property.parent?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const isLast = siblings.at(-1) === property;
  const end = endOf(property);
  const comma = commaAfter(text, end);
  const cut = wholeLines(text, property.offset, comma ?? end);
  const rest = text.slice(cut.end);
  const before = text.slice(0, cut.start);
  // The key before it is the last one now.
  const isLoose = isLast && comma === undefined && previous !== undefined;
  return (isLoose ? withoutComma(before, endOf(previous)) : before) + rest;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** The place after the comma that follows, with only space between. */
function commaAfter(text: string, at: number): number | undefined {
  const found = /^\s*,/.exec(text.slice(at));
  return found ? at + found[0].length : undefined;
}

function withoutComma(text: string, at: number): string {
  const comma = commaAfter(text, at);
  return comma === undefined ? text : text.slice(0, comma - 1) + text.slice(comma);
}

/** Grows to whole lines if nothing else stands in them but a comment at the end. */
function wholeLines(text: string, start: number, end: number) {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const after = /^[ \t]*(?:\/\/[^\n]*)?(?:\r?\n|$)/.exec(text.slice(end));
  const isAlone = text.slice(lineStart, start).trim() === '' && after !== null;
  return isAlone ? { start: lineStart, end: end + after[0].length } : { start, end };
}
