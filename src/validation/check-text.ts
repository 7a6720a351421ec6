import type { JsonObject } from '../core/index.js';
import type { Scope } from './scope.js';
import { both, type Verdict } from './verdict.js';
import { show } from './violation.js';

/** `format` is a note by the standard and not checked: servers differ in what they take for a date. */
export function checkText(schema: JsonObject, value: string, scope: Scope): Verdict {
  return both(checkLength(schema, value, scope), checkPattern(schema, value, scope));
}

function checkLength(schema: JsonObject, value: string, scope: Scope): Verdict {
  const { minLength, maxLength } = schema;
  if (typeof minLength === 'number' && isShorter(value, minLength)) {
    return scope.fail(`expected ${characters('at least', minLength)}, got ${show(value)}`);
  }
  if (typeof maxLength === 'number' && !isShorter(value, Math.floor(maxLength) + 1)) {
    return scope.fail(`expected ${characters('at most', maxLength)}, got ${show(value)}`);
  }
  return 'fits';
}

function characters(bound: string, count: number): string {
  return `${bound} ${count} character${count === 1 ? '' : 's'}`;
}

/** Whether a text has fewer characters than that; long texts are counted only if it is close. */
function isShorter(value: string, length: number): boolean {
  if (value.length < length) return true;
  if (value.length >= 2 * length) return false;
  let count = 0;
  for (const _ of value) if (++count >= length) return false;
  return true;
}

function checkPattern(schema: JsonObject, value: string, scope: Scope): Verdict {
  const { pattern } = schema;
  if (typeof pattern !== 'string') return 'fits';
  const matches = scope.shared.patternOf(pattern)?.test(value);
  if (matches === undefined) return 'unknown';
  return matches ? 'fits' : scope.fail(`expected text like ${pattern}, got ${show(value)}`);
}
