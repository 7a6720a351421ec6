import { isJsonObject, type JsonValue } from '../core/index.js';
import { observeOutput, shortType } from '../schema/index.js';

/** A shape is part of a preview, which must stay short whatever the data looks like. */
const MAX_CHARACTERS = 400;
/** Of a list: an item that is different further on is rare, and looking at all takes its time. */
const LOOKED_AT = 50;
/** Of an object: one with more keys is a map, which the first of them tell. */
const KEYS_LOOKED_AT = 200;
const DEEPEST = 8;

/** The TypeScript type of a value, from its data: `{id: number, name?: string}[]`. */
export function describeShape(value: JsonValue): string {
  return shortType(observeOutput(undefined, sampleOf(value, DEEPEST)), MAX_CHARACTERS);
}

function sampleOf(value: JsonValue, levels: number): JsonValue {
  if (levels === 0) return value;
  if (Array.isArray(value)) {
    return value.slice(0, LOOKED_AT).map((item: JsonValue) => sampleOf(item, levels - 1));
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).slice(0, KEYS_LOOKED_AT);
  return Object.fromEntries(entries.map(([key, item]) => [key, sampleOf(item, levels - 1)]));
}
