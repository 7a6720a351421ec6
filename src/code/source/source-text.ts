import type { SourceSpan } from '../../core/index.js';

export interface SourcePosition {
  /** Both from 1; columns count UTF-16 units, as editors and engines do. */
  readonly line: number;
  readonly column: number;
}

/** Offsets at which lines begin. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
    starts.push(match.index + match[0].length);
  }
  return starts;
}

export function positionAt(starts: readonly number[], offset: number): SourcePosition {
  const line = lastAtMost(starts, offset);
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

/** The offset of a position; one beyond its line or the text is taken back to its end. */
export function offsetAt(
  starts: readonly number[],
  { line, column }: SourcePosition,
  length: number,
): number {
  const start = starts[Math.max(0, line - 1)];
  if (start === undefined) return length;
  return Math.min(start + Math.max(0, column - 1), starts[line] ?? length, length);
}

export function spanOf(
  starts: readonly number[],
  node: { readonly start: number; readonly end: number },
): SourceSpan {
  return { start: node.start, end: node.end, ...positionAt(starts, node.start) };
}

/** The place of the last of ascending numbers that is not above `value`. */
export function lastAtMost(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** Where `token` stands at or after `from`, with only blanks and comments before it. */
export function tokenAt(text: string, from: number, token: string): number {
  const blank = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  blank.test(text);
  const at = Math.max(from, blank.lastIndex);
  if (!text.startsWith(token, at)) {
    throw new Error(
      `Expected \`${token}\` at ${at} of the code, got \`${text.slice(at, at + 9)}\``,
    );
  }
  return at;
}
