import { isJsonObject, type JsonValue, parseJson } from '../../../core/index.js';
import { type CopyColumn, LONGEST_VALUE, type Scalar } from './column.js';
import { textColumns } from './text-columns.js';

const MOST_COLUMNS = 40;
const MOST_VALUES = 200;
const MOST_NODES = 3_000;
const DEEPEST = 6;
const LONGEST_TEXT = 40_000;

/** Of a result as it came. Text that holds JSON is read as JSON. */
export function resultColumns(output: JsonValue | undefined): readonly CopyColumn[] {
  if (output === undefined || output === null) return [];
  if (typeof output !== 'string') return jsonColumns(output);
  const text = output.slice(0, LONGEST_TEXT);
  const parsed = parsedPart(text);
  if (parsed === undefined) return textColumns(text);
  return [...jsonColumns(parsed), ...textColumns(text).filter(({ path }) => path === '~path')];
}

/** All of it, or what follows a line of words: `Users (page 1):` and a list. */
function parsedPart(text: string): JsonValue | undefined {
  const start = /^\s*[[{]|\n[[{]/.exec(text);
  if (!start) return undefined;
  return parseJson(text.slice(start.index));
}

function jsonColumns(value: JsonValue): readonly CopyColumn[] {
  const columns = new Map<string, Scalar[]>();
  const open: [value: JsonValue, path: string, depth: number][] = [[value, '$', 0]];
  for (let at = 0; at < open.length && at < MOST_NODES; at++) {
    const [one, path, depth] = open[at]!;
    if (Array.isArray(one)) {
      if (depth < DEEPEST)
        for (const item of one as readonly JsonValue[]) open.push([item, `${path}[*]`, depth + 1]);
    } else if (isJsonObject(one)) {
      if (depth < DEEPEST)
        for (const [key, item] of Object.entries(one))
          open.push([item, `${path}.${key}`, depth + 1]);
    } else if (isCopied(one)) {
      addTo(columns, path, one);
    }
  }
  return Array.from(columns, ([path, values]) => ({ path, values }));
}

function addTo(columns: Map<string, Scalar[]>, path: string, value: Scalar): void {
  const column = columns.get(path);
  if (!column) {
    if (columns.size < MOST_COLUMNS) columns.set(path, [value]);
  } else if (column.length < MOST_VALUES) column.push(value);
}

function isCopied(value: JsonValue): value is Scalar {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE;
}
