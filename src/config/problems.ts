import { findNodeAtLocation, type Node } from 'jsonc-parser';
import * as z from 'zod';

import { closestWord, type JsonValue, PmlError, visible } from '../core/index.js';
import { describeIssue } from './issue.js';
import { dottedPath, MAX_PROBLEMS, positionOf, type TextProblem } from './text/parse-jsonc.js';

export type ConfigPath = readonly (string | number)[];

/** Keys of other programs, and what they are called here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  alwaysAllow: '"permissions": { "allow": [ … ] } at the top of the file',
  autoApprove: '"permissions": { "allow": [ … ] } at the top of the file',
  disabled: '"enabled": false',
  httpUrl: '"url"',
  serverUrl: '"url"',
  servers: '"mcpServers"',
};

/** Collects everything wrong with one file, each with its place in the text. */
export class ConfigProblems {
  readonly #found: TextProblem[] = [];
  readonly #text: string;
  readonly #root: Node;

  constructor(text: string, root: Node) {
    this.#text = text;
    this.#root = root;
  }

  add(path: ConfigPath, message: string): void {
    if (this.#found.length >= MAX_PROBLEMS) return;
    this.#addAt(this.#nearest(path)?.offset ?? 0, path, message);
  }

  addAtKey(path: ConfigPath, message: string): void {
    if (this.#found.length >= MAX_PROBLEMS) return;
    const property = findNodeAtLocation(this.#root, [...path])?.parent;
    this.#addAt(property?.offset ?? this.#nearest(path)?.offset ?? 0, path, message);
  }

  /** Takes what zod says about the value at `base`; `raw` is that value as written. */
  addIssue(issue: z.core.$ZodIssue, { base, raw, schema }: IssuePlace): void {
    if (issue.code !== 'unrecognized_keys') {
      const { path, message } = describeIssue(issue, raw);
      this.add([...base, ...path], message);
      return;
    }
    const inner = issue.path as ConfigPath;
    for (const key of issue.keys) {
      this.addAtKey([...base, ...inner, key], describeUnknownKey(key, keysAt(schema, inner)));
    }
  }

  get list(): readonly TextProblem[] {
    return this.#found.toSorted((a, b) => a.line - b.line || a.column - b.column);
  }

  #addAt(offset: number, path: ConfigPath, message: string): void {
    this.#found.push({ ...positionOf(this.#text, offset), path: dottedPath(path), message });
  }

  #nearest(path: ConfigPath): Node | undefined {
    for (let length = path.length; length >= 0; length--) {
      const node = findNodeAtLocation(this.#root, path.slice(0, length));
      if (node) return node;
    }
    return undefined;
  }
}

interface IssuePlace {
  readonly base: ConfigPath;
  readonly raw: JsonValue;
  readonly schema: z.core.$ZodType;
}

function describeUnknownKey(key: string, known: readonly string[]): string {
  const elsewhere = Object.hasOwn(ELSEWHERE, key) ? ELSEWHERE[key] : undefined;
  if (elsewhere) return `unknown key; write ${elsewhere} instead`;
  const closest =
    closestWord(key, known) ?? known.find((name) => key.length > 2 && name.startsWith(key));
  return closest === undefined
    ? `unknown key; remove it or use one of ${known.join(', ')}`
    : `unknown key; did you mean "${closest}"?`;
}

/** The keys an object schema knows at a path, through defaults, options and unions. */
function keysAt(schema: z.core.$ZodType, [step, ...rest]: ConfigPath): readonly string[] {
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) =>
      keysAt(option, step === undefined ? [] : [step, ...rest]),
    );
  }
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional
  ) {
    return keysAt(schema.unwrap(), step === undefined ? [] : [step, ...rest]);
  }
  if (schema instanceof z.ZodRecord && step !== undefined) return keysAt(schema.valueType, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  if (step === undefined) return Object.keys(schema.shape);
  const inner: unknown = schema.shape[step];
  return inner instanceof z.ZodType ? keysAt(inner, rest) : [];
}

/** One error for everything wrong with a file (the first `MAX_PROBLEMS`), one line each. */
export function configInvalid(file: string, problems: readonly TextProblem[]): PmlError {
  const lines = problems.map(({ line, column, path, message }) =>
    visible([`${file}:${line}:${column}`, path, message].filter((part) => part !== '').join(': ')),
  );
  return new PmlError('CONFIG_INVALID', lines.join('\n'), {
    details: { problems: problems.map((problem) => ({ file, ...problem })) },
  });
}
