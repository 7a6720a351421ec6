import { isJsonObject, type JsonValue } from '../core/index.js';
import { bytesOf } from './cut-text.js';

interface List {
  /** The path to the list; empty if the value itself is the list. */
  readonly path: string;
  readonly items: readonly JsonValue[];
}

/** The beginning of the list that makes up most of a value. */
export interface FirstRows {
  /** The path of these rows: `rows[0:3]`. */
  readonly path: string;
  /** The path of the next rows. */
  readonly nextPath: string;
  /** A field of every item that is worth selecting: `rows[0:20].name`. */
  readonly fieldPath: string;
  readonly rows: readonly JsonValue[];
  readonly total: number;
}

const DEEPEST = 3;
const MOST_LOOKED_AT = 300;
const SHOWN_LISTS = 4;
/** So many items are measured to estimate the size of all. */
const WEIGHED = 5;
/** The share of the whole that a list must have to represent it. */
const SHARE = 0.5;
const EXAMPLE_ROWS = 20;

/** The size in words: `4000 items`, or `5 keys; rows: 3000 items`. */
export function describeSize(value: JsonValue): string {
  if (Array.isArray(value)) return countOf(value.length, 'item');
  const keys = isJsonObject(value) ? countOf(Object.keys(value).length, 'key') : '';
  const lists = findLists(value)
    .toSorted((one, other) => other.items.length - one.items.length)
    .slice(0, SHOWN_LISTS)
    .map(({ path, items }) => `${path}: ${countOf(items.length, 'item')}`);
  return [keys, lists.join(', ')].filter(Boolean).join('; ');
}

/** As many whole items as fit; undefined if none does, or if the list is the smaller part. */
export function firstRows(
  value: JsonValue,
  { characters, maxBytes }: { readonly characters: number; readonly maxBytes: number },
): FirstRows | undefined {
  const [list] = findLists(value)
    .map((one) => ({ ...one, weight: weightOf(one.items) }))
    .toSorted((one, other) => other.weight - one.weight);
  if (!list || (list.path !== '' && list.weight < SHARE * characters)) return undefined;
  const { path, items } = list;
  const rows = fitting(items, maxBytes);
  const count = rows.length;
  if (count === 0) return undefined;
  return {
    path: `${path}[0:${count}]`,
    nextPath: `${path}[${count}:${2 * count}]`,
    fieldPath: `${path}[0:${EXAMPLE_ROWS}]${fieldOf(items[0])}`,
    rows,
    total: items.length,
  };
}

function fitting(items: readonly JsonValue[], maxBytes: number): readonly JsonValue[] {
  let bytes = '[]'.length;
  const end = items.findIndex((item) => {
    bytes += bytesOf(JSON.stringify(item)) + ','.length;
    return bytes > maxBytes;
  });
  return end < 0 ? items : items.slice(0, end);
}

/** Lists that a path can reach. */
function findLists(value: JsonValue): readonly List[] {
  const found: { path: string; value: JsonValue; depth: number }[] = [
    { path: '', value, depth: 0 },
  ];
  for (const { path, value: one, depth } of found) {
    if (!isJsonObject(one) || depth === DEEPEST) continue;
    for (const [key, inner] of Object.entries(one)) {
      if (found.length >= MOST_LOOKED_AT) break;
      // An agent cannot read on at a key that a path cannot name.
      if (!/^[^.[\]]+$/.test(key) || typeof inner !== 'object') continue;
      found.push({ path: path ? `${path}.${key}` : key, value: inner, depth: depth + 1 });
    }
  }
  return found.flatMap(({ path, value: one }) =>
    Array.isArray(one) && one.length > 0 ? [{ path, items: one as readonly JsonValue[] }] : [],
  );
}

/** About the number of characters of its JSON. */
function weightOf(items: readonly JsonValue[]): number {
  const weighed = items.slice(0, WEIGHED);
  return (JSON.stringify(weighed).length / weighed.length) * items.length;
}

function fieldOf(item: JsonValue | undefined): string {
  const fields = isJsonObject(item) ? Object.entries(item) : [];
  const [key] = fields.find(([name, part]) => isPlain(part) && /^[\w-]{1,30}$/.test(name)) ?? [];
  return key === undefined ? '' : `.${key}`;
}

const isPlain = (value: JsonValue): boolean => typeof value !== 'object';

const countOf = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
