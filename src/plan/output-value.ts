import { type JsonValue, parseJson, type ToolResult } from '../core/index.js';

/**
 * What a reference to a task sees: the structured content if the tool gave any, else its text
 * (parsed if it is JSON that PML can handle, several blocks joined by a newline), else the content
 * blocks themselves.
 */
export function outputValue(result: ToolResult): JsonValue {
  if (result.structuredContent !== undefined) return result.structuredContent;
  const texts = result.content.map(textOf).filter((text) => text !== undefined);
  return texts.length > 0 ? parsedText(texts.join('\n')) : result.content;
}

function textOf(block: { readonly [key: string]: JsonValue }): string | undefined {
  const text = block['text'];
  return block['type'] === 'text' && typeof text === 'string' ? text : undefined;
}

function parsedText(text: string): JsonValue {
  const value = parseJson(text);
  // An id like 12345678901234567890 is JSON too, but would come back as another number.
  const exact = typeof value !== 'number' || String(value) === text.trim();
  return value !== undefined && exact ? value : text;
}
