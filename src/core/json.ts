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
 * A value of one of our interfaces, as the JSON object it is. The compiler cannot see it: an
 * interface may have missing or unknown fields, and these hold JSON because they came as JSON.
 */
export function asJsonObject(value: object): JsonObject {
  return value as JsonObject;
}

/** Serialises with sorted keys, so that equal values give equal text. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as JsonValue)}`);
  return `{${entries.join(',')}}`;
}

/**
 * Deeper than any real schema, structure or record: recursive reading must end far below the depth
 * that would exhaust the stack.
 */
export const MOST_JSON_LEVELS = 100;

/** Whether arrays and objects nest more than `levels` deep. */
export function nestsDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const part of Object.values(value)) if (nestsDeeper(part, levels - 1)) return true;
  return false;
}

/** The value if it is a text, else nothing. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
