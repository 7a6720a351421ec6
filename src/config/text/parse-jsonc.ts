import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';

import type { JsonObject, JsonValue } from '../../core/index.js';

/** Deeper files are refused before parsing: the parser recurses and would end the process. */
const MAX_DEPTH = 200;

/** More do not help the reader, and finding their places would take long in a large file. */
export const MAX_PROBLEMS = 100;

const LONGEST_STEP = 80;

/** One thing wrong with a configuration text; line and column count from 1. */
export interface TextProblem {
  readonly line: number;
  readonly column: number;
  /** Dotted path of the value, empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

export interface ParsedText {
  /** Undefined when the text could not be parsed; then there is at least one problem. */
  readonly root: Node | undefined;
  readonly value: JsonValue;
  readonly problems: readonly TextProblem[];
}

/** Parses JSON with comments and trailing commas; its root must be an object. */
export function parseJsonc(text: string): ParsedText {
  const deep = findTooDeep(text);
  if (deep !== undefined) {
    return failed(text, deep, `nested more than ${MAX_DEPTH} levels deep; flatten it`);
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: false });
  const [first] = errors;
  if (first) return failed(text, first.offset, describeSyntax(first, text));
  if (root?.type !== 'object') {
    const got = root?.type ?? 'nothing';
    return failed(text, root?.offset ?? 0, `expected an object { … } at the top, got ${got}`);
  }
  const problems: TextProblem[] = [];
  const value = readNode(root, { text, path: [], problems });
  return { root, value, problems };
}

export function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

export function dottedPath(path: readonly (string | number)[]): string {
  return path.map((step) => String(step).slice(0, LONGEST_STEP)).join('.');
}

function failed(text: string, offset: number, message: string): ParsedText {
  const problems = [{ ...positionOf(text, offset), path: '', message }];
  return { root: undefined, value: null, problems };
}

function describeSyntax({ error, offset }: ParseError, text: string): string {
  const what = printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  const end = offset >= text.trimEnd().length ? ' (the file ends here: is it cut off?)' : '';
  return `not valid JSON: ${what}${end}`;
}

// The scanner's token kinds are a const enum of the library, which isolated modules cannot read.
const OPEN = new Set([1, 3]);
const CLOSE = new Set([2, 4]);
const END_OF_FILE = 17;

function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let token: number = scanner.scan(); token !== END_OF_FILE; token = scanner.scan()) {
    if (OPEN.has(token)) depth += 1;
    if (CLOSE.has(token)) depth -= 1;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

interface Reading {
  readonly text: string;
  readonly path: readonly (string | number)[];
  readonly problems: TextProblem[];
}

function readNode(node: Node, reading: Reading): JsonValue {
  if (node.type === 'object') return readObject(node, reading);
  if (node.type !== 'array') return node.value as JsonValue;
  const items = node.children ?? [];
  return items.map((item, index) => readNode(item, { ...reading, path: [...reading.path, index] }));
}

function readObject(node: Node, reading: Reading): JsonObject {
  const entries = new Map<string, JsonValue>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (!key || !value) continue;
    const name = String(key.value);
    const path = [...reading.path, name];
    const message = keyProblem(name, entries);
    if (message) {
      if (reading.problems.length >= MAX_PROBLEMS) continue;
      const at = positionOf(reading.text, key.offset);
      reading.problems.push({ ...at, path: dottedPath(path), message });
      continue;
    }
    entries.set(name, readNode(value, { ...reading, path }));
  }
  return Object.fromEntries(entries);
}

function keyProblem(name: string, seen: ReadonlyMap<string, JsonValue>): string | undefined {
  if (name === '__proto__') return 'this key is not allowed; remove it';
  return seen.has(name) ? 'this key appears twice in the same object; keep one' : undefined;
}
