import type { JsonValue } from '../../core/index.js';
import { findLiterals } from '../literals/intent-literals.js';
import type { Literal } from '../literals/literal.js';

const MOST_LITERALS = 50;

/** Whether a request contains a value, or a part of it, as whole words. */
export function isSaidIn(value: JsonValue, request: string): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).some((part: JsonValue) => isSaidIn(part, request));
  }
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  const text = String(value).toLowerCase();
  if (text.trim() === '') return false;
  const whole = request.toLowerCase();
  for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
    const around = [whole[at - 1] ?? ' ', whole[at + text.length] ?? ' '];
    if (!around.some((letter) => /[\p{L}\p{N}]/u.test(letter))) return true;
  }
  return false;
}

/**
 * What a past value names because the past request did, and the new request does not: `Lisbon` in
 * "Report for Lisbon", when the user now asks for the report for Vienna.
 */
export function namedOnlyThen(value: JsonValue, then: string, now: string): string | undefined {
  const inRequest = literalsOf(then).filter((text) => isIn(text, value));
  const inValue = textsOf(value)
    .flatMap(literalsOf)
    .filter((text) => isSaidIn(text, then));
  return [...inRequest, ...inValue].find((text) => !isSaidIn(text, now));
}

function literalsOf(text: string): readonly string[] {
  return findLiterals(text, { most: MOST_LITERALS })
    .filter((one) => !isSpelledNumber(one))
    .map((one) => one.text);
}

/** "One more thing" counts nothing. */
function isSpelledNumber({ kind, text }: Literal): boolean {
  return kind === 'number' && !/\d/.test(text);
}

const isIn = (text: string, value: JsonValue): boolean =>
  textsOf(value).some((one) => isSaidIn(text, one));

function textsOf(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((part: JsonValue) => textsOf(part));
}
