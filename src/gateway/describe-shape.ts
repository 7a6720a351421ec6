import { isJsonObject, type JsonValue } from '../core/index.js';

const MAX_KEYS = 12;
const MAX_DEPTH = 4;
const MAX_KEY_CHARACTERS = 40;
/** A shape is part of a preview, which must stay short whatever the data looks like. */
const MAX_CHARACTERS = 400;

/** The TypeScript shape of a value, from its data: `{id: number, name: string}[] (4000)`. */
export function describeShape(value: JsonValue): string {
  for (let levels = MAX_DEPTH; levels > 1; levels--) {
    const shape = shapeOf(value, levels);
    if (shape.length <= MAX_CHARACTERS) return shape;
  }
  const flat = shapeOf(value, 1);
  return flat.length <= MAX_CHARACTERS ? flat : `${flat.slice(0, MAX_CHARACTERS)}…`;
}

function shapeOf(value: JsonValue, levels: number): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const first = items[0];
    const inner = first === undefined ? 'unknown' : shapeOf(first, levels - 1);
    return `${inner}[] (${items.length})`;
  }
  if (!isJsonObject(value)) return typeof value;
  if (levels <= 0) return 'object';
  const keys = Object.keys(value);
  const shown = keys
    .slice(0, MAX_KEYS)
    .map((key) => `${shortKey(key)}: ${shapeOf(value[key] as JsonValue, levels - 1)}`);
  const rest = keys.length > MAX_KEYS ? [`… ${keys.length - MAX_KEYS} more`] : [];
  return `{${[...shown, ...rest].join(', ')}}`;
}

function shortKey(key: string): string {
  return key.length <= MAX_KEY_CHARACTERS ? key : `${key.slice(0, MAX_KEY_CHARACTERS)}…`;
}
