import { PmlError } from '../../core/index.js';
import { lineStarts, positionAt } from './source-text.js';

/** Longer lines are shown around the place that matters. */
const SHOWN_COLUMNS = 100;

/** An error that points at a place in the agent's text and says what to write instead. */
export function codeInvalid(
  text: string,
  offset: number,
  { message, hint }: { readonly message: string; readonly hint?: string | undefined },
): PmlError {
  const starts = lineStarts(text);
  const { line, column } = positionAt(starts, offset);
  const whole = text.slice(starts[line - 1] ?? 0, starts[line] ?? text.length).trimEnd();
  const from = Math.max(0, Math.min(column - SHOWN_COLUMNS / 2, whole.length - SHOWN_COLUMNS));
  const shown = whole.slice(from, from + SHOWN_COLUMNS).replaceAll('\t', ' ');
  const lines = [
    `Line ${line}, column ${column}: ${message}`,
    `  ${shown}`,
    `  ${' '.repeat(column - 1 - from)}^`,
    ...(hint === undefined ? [] : [hint]),
  ];
  return new PmlError('CODE_INVALID', lines.join('\n'), {
    details: { line, column, source: whole, ...(hint !== undefined && { hint }) },
  });
}
