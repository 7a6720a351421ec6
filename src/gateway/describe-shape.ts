import { isJsonObject, type JsonValue } from '../core/index.js';

const MAX_KEYS = 12;
const MAX_DEPTH = 4;

/** The TypeScript shape of a value, from its data: `{id: number, name: string}[] (4000)`. */
export function describeShape(value: JsonValue, depth = 0): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const first = items[0];
    const inner = first === undefined ? 'unknown' : describeShape(first, depth + 1);
    return `${inner}[] (${items.length})`;
  }
  if (!isJsonObject(value)) return typeof value;
  if (depth >= MAX_DEPTH) return 'object';
  const keys = Object.keys(value);
  const shown = keys
    .slice(0, MAX_KEYS)
    .map((key) => `${key}: ${describeShape(value[key] as JsonValue, depth + 1)}`);
  const rest = keys.length > MAX_KEYS ? [`… ${keys.length - MAX_KEYS} more`] : [];
  return `{${[...shown, ...rest].join(', ')}}`;
}
