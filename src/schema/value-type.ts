import type { JsonValue } from '../core/index.js';

/** The narrowest type of JSON Schema that a value has: `integer` rather than `number`. */
export function typeOfValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

export function hasType(value: JsonValue, type: string): boolean {
  const own = typeOfValue(value);
  return own === type || (own === 'integer' && type === 'number');
}
