import { findLiterals } from '../../../planner/index.js';
import { type CopyColumn, LONGEST_VALUE, type Scalar } from './column.js';

const MOST_LITERALS = 120;
const LONGEST_INTENT = 20_000;
/** Sessions of some clients at a time. */
const MOST_KNOWN = 32;
const known = new Map<string, readonly CopyColumn[]>();

/** The values that stand in a request, by what they look like. Known requests are not read again. */
export function askedColumns(intent: string): readonly CopyColumn[] {
  const found = known.get(intent) ?? readColumns(intent);
  known.delete(intent);
  known.set(intent, found);
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN) break;
    known.delete(oldest);
  }
  return found;
}

function readColumns(intent: string): readonly CopyColumn[] {
  const columns = new Map<string, Set<Scalar>>();
  const add = (path: string, value: Scalar) => {
    if (typeof value === 'string' && (value === '' || value.length > LONGEST_VALUE)) return;
    const own = columns.get(path);
    if (own) own.add(value);
    else columns.set(path, new Set([value]));
  };
  for (const literal of findLiterals(intent.slice(0, LONGEST_INTENT), { most: MOST_LITERALS })) {
    const { kind, looks, value, text } = literal;
    add(looks ?? kind, looks === 'number' ? text : value);
    if (kind === 'quoted' || kind === 'code') add('quoted', text);
    if ((looks ?? kind) === 'path') add(text.startsWith('/') ? 'rooted' : 'relative', text);
  }
  return Array.from(columns, ([path, values]) => ({ path, values: [...values] }));
}
