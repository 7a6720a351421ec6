import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { convertVariables, type VariableContext } from './convert-variables.js';
import type { OwnEntry } from './own-entry.js';

export type ConvertedEntry =
  | { readonly kind: 'server'; readonly entry: JsonObject; readonly notes: readonly string[] }
  | { readonly kind: 'broken'; readonly reason: string };

/** Copied as they are, apart from references in their strings. */
const COPIED = new Set(['command', 'args', 'cwd', 'url', 'env', 'headers', 'type']);
const URL_NAMES = ['url', 'serverUrl', 'httpUrl'];

/** Turns one client's server entry into one of ours. What has no meaning here is named in a note. */
export function convertEntry({ value, ours }: OwnEntry, context: VariableContext): ConvertedEntry {
  if (!isJsonObject(value)) {
    return {
      kind: 'broken',
      reason: `expected an object, got ${JSON.stringify(value).slice(0, 20)}`,
    };
  }
  const notes = new Set<string>();
  const entry: Record<string, JsonValue> = {};
  const url = URL_NAMES.map((name) => value[name]).find((found) => found !== undefined);
  if (url !== undefined) entry['url'] = convertValue(url, context, notes);
  for (const [key, item] of Object.entries(value)) {
    if (URL_NAMES.includes(key)) continue;
    if (COPIED.has(key)) entry[key] = convertField(key, item, { context, notes });
    else Object.assign(entry, convertOption(key, item, notes));
  }
  if (entry['type'] === 'stdio') delete entry['type'];
  return { kind: 'server', entry: withOurs(entry, ours), notes: [...notes] };
}

/** Maps such as `env` are joined. */
function withOurs(entry: JsonObject, ours: JsonObject): JsonObject {
  const joined = Object.entries(ours).map(([key, value]) => {
    const own = entry[key];
    const isBoth = isJsonObject(own) && isJsonObject(value);
    return [key, isBoth ? { ...own, ...value } : value] as const;
  });
  return { ...entry, ...Object.fromEntries(joined) };
}

function convertField(
  key: string,
  value: JsonValue,
  { context, notes }: { context: VariableContext; notes: Set<string> },
): JsonValue {
  if (key === 'type') return value;
  const isMap = (key === 'env' || key === 'headers') && isJsonObject(value);
  return convertValue(isMap ? withTexts(key, value, notes) : value, context, notes);
}

/** Clients take numbers and booleans as environment values; the environment knows only text. */
function withTexts(key: string, map: JsonObject, notes: Set<string>): JsonObject {
  const entries = Object.entries(map).flatMap(([name, value]) => {
    if (value === null) {
      notes.add(`${key}.${name} was null and is left out`);
      return [];
    }
    const isScalar = typeof value === 'number' || typeof value === 'boolean';
    return [[name, isScalar ? String(value) : value] as const];
  });
  return Object.fromEntries(entries);
}

/** Keys that are spelled differently here, or that only the client can use. */
function convertOption(key: string, value: JsonValue, notes: Set<string>): JsonObject {
  switch (key) {
    case 'disabled':
      return value === true ? { enabled: false } : {};
    case 'enabled':
      return value === false ? { enabled: false } : {};
    case 'disabledTools':
      return Array.isArray(value) && value.length > 0 ? { tools: { deny: value } } : {};
    case 'transport':
      return typeof value === 'string' && value !== 'stdio' ? { type: value } : {};
    default:
      notes.add(`"${key}" belongs to the client and is left out`);
      return {};
  }
}

function convertValue(value: JsonValue, context: VariableContext, notes: Set<string>): JsonValue {
  if (typeof value === 'string') return convertVariables(value, context, notes);
  if (Array.isArray(value)) {
    return value.map((item: JsonValue) => convertValue(item, context, notes));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, convertValue(item, context, notes)]),
  );
}
