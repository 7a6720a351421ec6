import {
  type JsonObject,
  type JsonValue,
  mentionsSecret,
  nestsDeeper,
  type Task,
  type Mask,
} from '../core/index.js';
import { CONTEXT } from './find-references.js';
import { replaceReferences } from './replace-references.js';

/** Longer texts are contents that a user would not type again. */
const MOST_CHARACTERS = 300;
const MOST_BYTES = 2_048;
const KEPT_LEVELS = 8;

/**
 * What PML remembers of the arguments of a call: values that were written, not values from other
 * calls (`flowed` names those parameters), from the context or from kept results.
 */
export function literalArgs(task: Task, flowed: ReadonlySet<string>, mask: Mask): JsonObject {
  const names = new Set<string>([...task.needs, CONTEXT]);
  const written = Object.entries(task.args).filter(
    ([param, value]) => !flowed.has(param) && !refersElsewhere(value, names),
  );
  return keepArgs(Object.fromEntries(written), mask);
}

/**
 * The arguments that may be kept: no secrets, no long texts, within a byte limit. A value is kept
 * whole or not at all, because half of it would be another value.
 */
export function keepArgs(args: JsonObject, mask: Mask): JsonObject {
  let left = MOST_BYTES;
  const kept = Object.entries(args).filter(([param, value]) => {
    if (mentionsSecret(param) || mask(param) !== param) return false;
    if (!isKeepable(value, mask, KEPT_LEVELS)) return false;
    const bytes = Buffer.byteLength(JSON.stringify({ [param]: value }));
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
  return Object.fromEntries(kept);
}

function isKeepable(value: JsonValue, mask: Mask, levels: number): boolean {
  if (typeof value === 'string') return value.length <= MOST_CHARACTERS && mask(value) === value;
  if (typeof value === 'number') return mask(String(value)) === String(value);
  if (typeof value !== 'object' || value === null) return true;
  if (nestsDeeper(value, levels)) return false;
  const entries = Object.entries(value);
  if (entries.length * 2 > MOST_BYTES) return false;
  return entries.every(
    ([key, part]: [string, JsonValue]) =>
      (Array.isArray(value) || (!mentionsSecret(key) && isKeepable(key, mask, 0))) &&
      isKeepable(part, mask, levels - 1),
  );
}

function refersElsewhere(value: JsonValue, names: ReadonlySet<string>): boolean {
  let isFound = false;
  const found = () => {
    isFound = true;
    return null;
  };
  if (nestsDeeper(value, KEPT_LEVELS)) return false;
  replaceReferences(value, '', { isTask: (name) => names.has(name), visit: found, result: found });
  return isFound;
}
