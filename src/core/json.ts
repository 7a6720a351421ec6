export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What an interface of ours describes, as the JSON object it is. The compiler cannot see it: an
 * interface may have fields that are missing or unknown, and these hold JSON because it came as JSON.
 */
export function asJsonObject(value: object): JsonObject {
  return value as JsonObject;
}

/** Serialises with sorted keys, so that equal values give equal text whatever their key order. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as JsonValue)}`);
  return `{${entries.join(',')}}`;
}

/**
 * Deeper than any schema, structure or record that somebody writes: what is read recursively must end,
 * far below what would exhaust the stack.
 */
export const MOST_JSON_LEVELS = 100;

/** Whether arrays and objects stand in one another more than `levels` deep. */
export function nestsDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const part of Object.values(value)) if (nestsDeeper(part, levels - 1)) return true;
  return false;
}

/** A value that should be a text; nothing if it is not. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
