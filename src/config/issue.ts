import type * as z from 'zod';

import { isJsonObject, type JsonValue } from '../core/index.js';

type Issue = z.core.$ZodIssue;
type Path = readonly (string | number)[];

/** Values below these keys may be secrets and are never shown. */
const SECRET_KEYS = new Set(['env', 'headers', 'args', 'token', 'database', 'fix']);

/** A URL with credentials or a query may hold a secret. */
const SECRET_URL = /[@?#]/;

const LONGEST_SHOWN = 60;

/** Says in one line what was found and what was expected. */
export function describeIssue(issue: Issue, raw: JsonValue): { path: Path; message: string } {
  if (issue.code === 'invalid_union') return describeUnion(issue, raw);
  const path = issue.path as Path;
  if (issue.code === 'invalid_key') {
    return { path, message: issue.issues[0]?.message ?? issue.message };
  }
  const found = valueAt(raw, path);
  if (found === undefined) return { path, message: `missing; expected ${expectation(issue)}` };
  return { path, message: `expected ${expectation(issue)}, got ${show(found, path)}` };
}

/** Speaks of the branch that fits best: the one that at least accepts the kind of value. */
function describeUnion(issue: z.core.$ZodIssueInvalidUnion, raw: JsonValue) {
  const misfit = (branch: readonly Issue[]) =>
    branch.reduce((sum, { code, path }) => {
      if (path.length > 0) return sum;
      return sum + (code === 'invalid_type' ? 2 : 0) + (code === 'invalid_value' ? 1 : 0);
    }, 0);
  const [best] = issue.errors.toSorted((a, b) => misfit(a) - misfit(b));
  const first = best?.[0];
  const path = issue.path as Path;
  if (!first) return { path, message: issue.message };
  const inner = describeIssue(first, valueAt(raw, path) ?? null);
  return { path: [...path, ...inner.path], message: inner.message };
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'too_small':
      return limit(
        issue.inclusive === false ? 'more than' : 'at least',
        issue.minimum,
        issue.origin,
      );
    case 'too_big':
      return limit(
        issue.inclusive === false ? 'less than' : 'at most',
        issue.maximum,
        issue.origin,
      );
    case 'invalid_format':
      return issue.format === 'url' ? 'an http:// or https:// URL' : custom(issue.message);
    default:
      return custom(issue.message);
  }
}

const KINDS: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

function limit(words: string, bound: number | bigint, origin: string): string {
  return origin === 'string' ? `${words} ${bound} characters` : `${words} ${bound}`;
}

function custom(message: string): string {
  return message.replace(/^expected /i, '');
}

export function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function show(value: JsonValue, path: Path): string {
  if (typeof value === 'object' && value !== null) return kindOf(value);
  const secret = path.some((step) => SECRET_KEYS.has(String(step)));
  if (secret || (path.at(-1) === 'url' && SECRET_URL.test(String(value))))
    return `${kindOf(value)} (not shown)`;
  const text = JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** The value at a path as far as it goes, so that `exposure: "x"` is found for `exposure.mode`. */
function valueAt(value: JsonValue, path: Path): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const step of path) {
    if (Array.isArray(current)) current = current[Number(step)];
    else if (isJsonObject(current))
      current = Object.hasOwn(current, step) ? current[step] : undefined;
    else return current;
  }
  return current;
}
