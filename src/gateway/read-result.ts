import {
  asText,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  PmlError,
  type ToolResult,
} from '../core/index.js';
import { cutAt } from './cut-text.js';
import type { KeptResults } from './kept-results.js';

const DEFAULT_LIMIT = 8_000;
const MAX_LIMIT = 30_000;

/** The built-in tool that pages through a kept result, by characters or by a path into its JSON. */
export function readResult(args: JsonObject, kept: KeptResults): ToolResult {
  const handle = args['handle'];
  if (typeof handle !== 'string') {
    throw new PmlError('BAD_REQUEST', 'pml:read_result needs "handle", as given with the preview');
  }
  const offset = wholeNumber(args, 'offset', 0);
  const limit = Math.min(Math.max(wholeNumber(args, 'limit', DEFAULT_LIMIT), 1), MAX_LIMIT);
  const { text } = kept.get(handle);
  const path = args['path'];
  const source = typeof path === 'string' ? JSON.stringify(select(text, path)) : text;
  const page = source.slice(offset, Math.max(cutAt(source, offset + limit), offset + 1));
  const end = offset + page.length;
  const more =
    end < source.length ? `\n[${end} of ${source.length}; go on with "offset": ${end}]` : '';
  return { content: [{ type: 'text', text: `${page}${more}` }] };
}

/** The whole of a kept result, for a script: it does not go through anybody's context. */
export function loadResult(args: JsonObject, kept: KeptResults): ToolResult {
  const { text, mimeType } = kept.get(asText(args['handle']));
  const value = mimeType === 'application/json' ? (JSON.parse(text) as JsonValue) : text;
  return { content: [], structuredContent: value };
}

function wholeNumber(args: JsonObject, key: string, fallback: number): number {
  const value = args[key] ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new PmlError(
    'BAD_REQUEST',
    `"${key}" must be a whole number from 0, got ${JSON.stringify(value)}`,
  );
}

/** Follows `a.b[3]`, `rows[0:20]` (a slice) and `rows[0:20].name` (a field of each). */
export function select(text: string, path: string): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    throw new PmlError('BAD_REQUEST', 'This result is plain text: use "offset" and "limit"');
  }
  const steps = path.match(/[^.[\]]+|\[\d*:?\d*\]/g) ?? [];
  let isSlice = false;
  for (const step of steps) {
    const slice = /^\[(\d*):(\d*)\]$/.exec(step);
    if (slice && Array.isArray(value)) {
      value = (value as JsonValue[]).slice(Number(slice[1] || 0), Number(slice[2] || value.length));
      isSlice = true;
    } else if (isSlice && Array.isArray(value)) {
      value = (value as JsonValue[]).map((item) => follow(item, step, path));
    } else {
      value = follow(value, step, path);
    }
  }
  return value;
}

function follow(value: JsonValue, step: string, path: string): JsonValue {
  const index = /^\[(\d+)\]$/.exec(step)?.[1];
  const found = Array.isArray(value)
    ? (value as JsonValue[])[Number(index ?? step)]
    : isJsonObject(value)
      ? value[step]
      : undefined;
  if (found !== undefined) return found;
  const there = Array.isArray(value)
    ? `a list of ${value.length}`
    : isJsonObject(value)
      ? `keys ${Object.keys(value).slice(0, 20).join(', ')}`
      : typeof value;
  throw new PmlError('BAD_REQUEST', `Nothing at "${step}" of "${path}"; there is ${there}`);
}
