import { type JsonObject, type JsonValue, type ToolResult } from '../core/index.js';
import { describeShape } from './describe-shape.js';
import type { KeptResults } from './kept-results.js';

export interface ResultLimits {
  readonly resultBytes: number;
  readonly previewBytes: number;
}

export const RESULT_URI = 'pml://result/';

/**
 * Replaces what would flood the agent's context by a preview and a handle. Pictures and sound pass:
 * they are not text and clients treat them on their own.
 */
export function limitResult(
  result: ToolResult,
  kept: KeptResults,
  limits: ResultLimits,
): ToolResult {
  if (result['resultType'] === 'input_required') return result; // A question, not an answer yet.
  const textBytes = result.content.reduce((sum, block) => sum + textOf(block).length, 0);
  const structured = result.structuredContent;
  const isLong = textBytes > limits.resultBytes;
  if (!isLong && !isLongValue(structured, limits.resultBytes)) return result;

  const texts = result.content.map(textOf).filter((text) => text !== '');
  const whole = structured === undefined ? texts.join('\n') : JSON.stringify(structured);
  const preview = previewOf(whole, kept, limits);
  const others = result.content.filter((block) => textOf(block) === '');
  const { structuredContent: _dropped, ...rest } = result;
  return {
    ...rest,
    content: [{ type: 'text', text: preview.text }, preview.link, ...others],
    ...(structured === undefined ? {} : { structuredContent: preview.structured }),
  };
}

/** Long text as preview: what it is, how it begins, how to read on. */
export function previewOf(
  text: string,
  kept: KeptResults,
  { previewBytes }: ResultLimits,
): { text: string; link: JsonObject; structured: JsonObject } {
  const value = parseJson(text);
  const mimeType = value === undefined ? 'text/plain' : 'application/json';
  const handle = kept.keep({ text, mimeType });
  const type =
    value === undefined ? `text, ${text.split('\n').length} lines` : describeShape(value);
  const head = text.slice(0, previewBytes);
  const next = `{"tool":"pml:read_result","args":{"handle":"${handle}","offset":${head.length}}}`;
  return {
    text: `[Result of ${text.length} characters kept as ${handle}. Type: ${type}. It begins:]\n${head}\n[… read on with pml_execute_workflow task ${next}; args may also have "limit" and "path" (e.g. "items[0:20].name")]`,
    link: { type: 'resource_link', uri: `${RESULT_URI}${handle}`, name: handle, mimeType },
    structured: { result: handle, characters: text.length, type, preview: head },
  };
}

function textOf(block: JsonObject): string {
  if (block['type'] === 'text') return typeof block['text'] === 'string' ? block['text'] : '';
  const resource = block['resource'] as JsonObject | undefined;
  const inner = block['type'] === 'resource' ? resource?.['text'] : undefined;
  return typeof inner === 'string' ? inner : '';
}

function isLongValue(value: JsonValue | undefined, limit: number): boolean {
  return value !== undefined && JSON.stringify(value).length > limit;
}

function parseJson(text: string): JsonValue | undefined {
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined; // Begins like JSON and is not: it is text then.
  }
}
