import {
  asText,
  type JsonObject,
  type JsonValue,
  type KeptResult,
  parseJson,
  PmlError,
  type ToolResult,
} from '../core/index.js';
import { cutAt } from './cut-text.js';
import type { ResultShelf } from './kept-results.js';
import { selectPath } from './select-path.js';

const DEFAULT_LIMIT = 8_000;
const MAX_LIMIT = 30_000;

/** The built-in tool that pages through a kept result, by characters or by a path into its JSON. */
export async function readResult(args: JsonObject, kept: ResultShelf): Promise<ToolResult> {
  const handle = args['handle'];
  if (typeof handle !== 'string') {
    throw new PmlError('BAD_REQUEST', 'pml:read_result needs "handle", as given with the preview');
  }
  const offset = wholeNumber(args, 'offset', 0);
  const limit = Math.min(Math.max(wholeNumber(args, 'limit', DEFAULT_LIMIT), 1), MAX_LIMIT);
  const { text } = await kept.get(handle);
  const path = args['path'];
  const source = typeof path === 'string' ? JSON.stringify(selectText(text, path)) : text;
  const page = source.slice(offset, Math.max(cutAt(source, offset + limit), offset + 1));
  const end = offset + page.length;
  const more =
    end < source.length ? `\n[${end} of ${source.length}; go on with "offset": ${end}]` : '';
  return { content: [{ type: 'text', text: `${page}${more}` }] };
}

/** The whole of a kept result, for a script: it uses no context of the model. */
export async function loadResult(args: JsonObject, kept: ResultShelf): Promise<ToolResult> {
  const result = await kept.get(asText(args['handle']));
  return { content: [], structuredContent: valueOf(result) };
}

/** What a kept result stands for where it is not read but used. */
export function valueOf({ text, mimeType }: KeptResult): JsonValue {
  return mimeType === 'application/json' ? (parseJson(text) ?? text) : text;
}

function wholeNumber(args: JsonObject, key: string, fallback: number): number {
  const value = args[key] ?? fallback;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new PmlError(
    'BAD_REQUEST',
    `"${key}" must be a whole number from 0, got ${JSON.stringify(value)}`,
  );
}

function selectText(text: string, path: string): JsonValue {
  const value = parseJson(text);
  if (value !== undefined) return selectPath(value, path);
  throw new PmlError('BAD_REQUEST', 'This result is plain text: use "offset" and "limit"');
}
