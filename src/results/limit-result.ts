import {
  canonicalJson,
  type JsonObject,
  type JsonValue,
  parseJson,
  type ToolResult,
} from '../core/index.js';
import { beginning, bytesOf } from './cut-text.js';
import { describeShape } from './describe-shape.js';
import { describeSize, firstRows } from './first-rows.js';
import type { ResultShelf } from './kept-results.js';

export interface ResultLimits {
  readonly resultBytes: number;
  readonly previewBytes: number;
}

export interface LimitOptions extends ResultLimits {
  /** Leaves structured content whole: a client checks it against the schema it was shown. */
  readonly keepsStructured?: boolean;
  /** Whether the agent has the meta-tools to read on with; else it has the resource. */
  readonly hasMetaTools?: boolean;
}

export interface Preview {
  readonly text: string;
  readonly link: JsonObject;
  readonly structured: JsonObject;
}

export const RESULT_URI = 'pml://result/';
/** The built-in tool that reads on in a kept result. */
export const READ_TOOL = 'pml:read_result';

/**
 * Replaces what would flood the agent's context by a preview and a handle. Pictures and sound pass:
 * they are not text and clients treat them on their own.
 */
export function limitResult(
  result: ToolResult,
  kept: ResultShelf,
  options: LimitOptions,
): ToolResult {
  if (result['resultType'] === 'input_required') return result; // A question, not an answer yet.
  const structured = options.keepsStructured ? undefined : result.structuredContent;
  const texts = result.content.map(textOf).filter((text) => text !== '');
  const text = isLong(texts, options.resultBytes) ? texts.join('\n') : undefined;
  const json = structured === undefined ? '' : JSON.stringify(structured);
  if (text === undefined && bytesOf(json) <= options.resultBytes) return result;

  if (bytesOf(json) <= options.resultBytes)
    return withPreview(result, previewOf(text ?? '', kept, options));
  const preview = previewOf(json, kept, options);
  const shown = { ...result, structuredContent: preview.structured };
  // Most tools repeat their structured content as text: one copy is enough.
  const isCopy = text === undefined || isSameJson(text, structured);
  return withPreview(shown, isCopy ? preview : previewOf(text, kept, options));
}

function withPreview(result: ToolResult, { text, link }: Preview): ToolResult {
  const others = result.content.filter((block) => textOf(block) === '');
  return { ...result, content: [{ type: 'text', text }, link, ...others] };
}

/** Long text as preview: what it is, how it begins, how to go on. */
export function previewOf(text: string, kept: ResultShelf, options: LimitOptions): Preview {
  const { previewBytes, hasMetaTools = true } = options;
  const value = parseStructure(text);
  const mimeType = value === undefined ? 'text/plain' : 'application/json';
  const handle = kept.keep({ text, mimeType });
  const uri = `${RESULT_URI}${handle}`;
  const type = value === undefined ? 'string' : describeShape(value);
  const size = value === undefined ? `${text.split('\n').length} lines` : describeSize(value);
  const begins = beginningOf(text, value, previewBytes);
  const next = hasMetaTools ? howToGoOn(handle, begins) : `the whole is the resource ${uri}`;
  const lasts = kept.lasts({ text });
  const note = lasts ? '' : ' Too long to be stored: it is gone when the daemon ends.';
  return {
    text: `[Result of ${text.length} characters kept as ${handle}. Type: ${type}. ${size}.${note} ${begins.title}:]\n${begins.text}\n[… ${next}]`,
    link: { type: 'resource_link', uri, name: 'kept result', mimeType },
    structured: {
      result: handle,
      characters: text.length,
      type,
      size,
      ...(!lasts && { note: note.trim() }),
      ...(begins.shows && { shows: begins.shows }),
      preview: begins.rows ?? begins.text,
      more: `${READ_TOOL}, await load(handle) in code, or as an argument ${begins.example('handle')}`,
    },
  };
}

interface Beginning {
  readonly title: string;
  readonly text: string;
  /** The same as data, and which part of the whole it is. */
  readonly rows?: readonly JsonValue[];
  readonly shows?: string;
  /** Arguments that read on where it ends. */
  readonly next: JsonObject;
  readonly example: (handle: string) => string;
}

/** Whole items where there is a list, else whole lines if they are not too long. */
function beginningOf(text: string, value: JsonValue | undefined, maxBytes: number): Beginning {
  const list =
    value === undefined ? undefined : firstRows(value, { characters: text.length, maxBytes });
  if (list) {
    const { path, nextPath, fieldPath, rows, total } = list;
    return {
      title: `First ${rows.length} of ${total}, ${path}`,
      text: JSON.stringify(rows),
      rows,
      shows: path,
      next: { path: nextPath },
      example: (handle) => JSON.stringify({ $result: handle, path: fieldPath }),
    };
  }
  const head = wholeLines(beginning(text, maxBytes));
  return {
    title: 'It begins',
    text: head,
    next: { offset: head.length },
    example: (handle) => JSON.stringify({ $result: handle }),
  };
}

function howToGoOn(handle: string, { next, example }: Beginning): string {
  const task = JSON.stringify({ tool: READ_TOOL, args: { handle, ...next } });
  return `read on with pml_execute_workflow task ${task}; args may also have "limit" and "path". Use all of it without reading: await load("${handle}") in code, or ${example(handle)} as an argument of a task`;
}

/** Without the line that was cut, unless that would cost more than half. */
function wholeLines(head: string): string {
  const end = head.lastIndexOf('\n') + 1;
  return end > head.length / 2 ? head.slice(0, end) : head;
}

function isLong(texts: readonly string[], maxBytes: number): boolean {
  return texts.reduce((sum, text) => sum + bytesOf(text), 0) > maxBytes;
}

function textOf(block: JsonObject): string {
  if (block['type'] === 'text') return typeof block['text'] === 'string' ? block['text'] : '';
  const resource = block['resource'] as JsonObject | undefined;
  const inner = block['type'] === 'resource' ? resource?.['text'] : undefined;
  return typeof inner === 'string' ? inner : '';
}

function isSameJson(text: string, value: JsonValue | undefined): boolean {
  const parsed = parseStructure(text);
  return (
    parsed !== undefined && value !== undefined && canonicalJson(parsed) === canonicalJson(value)
  );
}

/** Objects and lists alone: a lone number or word reads better as text. */
function parseStructure(text: string): JsonValue | undefined {
  return /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
}
