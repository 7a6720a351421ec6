import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

import { isAbsent, messageOf, PmlError } from '../../core/errors.js';
import type { JsonValue } from '../../core/index.js';

/** A line of a file, with its number as editors count. */
export interface Row {
  readonly line: number;
  readonly value: JsonValue;
}

export interface LineProblem {
  readonly line: number;
  readonly problem: string;
}

/** Reads a file of JSON lines; `-` is stdin. Empty lines are nothing. */
export async function readLines(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    const bytes = readFileSync(file);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const reason = isAbsent(error) ? 'there is no such file' : messageOf(error);
    throw new PmlError('BAD_REQUEST', `${file}: ${reason}`, { cause: error });
  }
}

export function parseRows(lines: string): {
  readonly rows: readonly Row[];
  readonly problems: readonly LineProblem[];
} {
  const rows: Row[] = [];
  const problems: LineProblem[] = [];
  lines.split('\n').forEach((content, place) => {
    const line = place + 1;
    if (content.trim() === '') return;
    try {
      rows.push({ line, value: JSON.parse(content) as JsonValue });
    } catch (error) {
      problems.push({ line, problem: `not JSON: ${messageOf(error)}` });
    }
  });
  return { rows, problems };
}

/** Parts that are each small enough for one message. */
export function* partsOf(rows: readonly Row[], maxCharacters: number): Generator<readonly Row[]> {
  let part: Row[] = [];
  let size = 0;
  for (const row of rows) {
    const length = JSON.stringify(row.value).length;
    if (part.length > 0 && size + length > maxCharacters) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(row);
    size += length;
  }
  if (part.length > 0) yield part;
}
