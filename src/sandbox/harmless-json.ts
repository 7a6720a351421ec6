import type { JsonValue } from '../core/index.js';

/** Deeper than any readable result, and far from what recursion over it could overflow. */
export const MOST_VALUE_LEVELS = 256;

export type HarmlessJson =
  | { readonly value: JsonValue }
  | { readonly problem: 'not-json' | 'too-deep' };

/**
 * Parses untrusted text. Keys that could change an object into which the value is merged are left
 * out: `__proto__`, and a `constructor` with a `prototype`.
 */
export function parseHarmlessJson(text: string): HarmlessJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'not-json' };
  }
  return clean(value, MOST_VALUE_LEVELS) ? { value: value as JsonValue } : { problem: 'too-deep' };
}

/** Cleans in place; false if there are too many levels. */
function clean(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.every((item) => clean(item, levels - 1));
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) {
    if (isHarmful(key, object)) delete object[key];
    else if (!clean(object[key], levels - 1)) return false;
  }
  return true;
}

function isHarmful(key: string, object: Record<string, unknown>): boolean {
  if (key === '__proto__') return true;
  if (key !== 'constructor') return false;
  const own = object[key];
  return typeof own === 'object' && own !== null && Object.hasOwn(own, 'prototype');
}
