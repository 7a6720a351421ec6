import {
  type JsonObject,
  type JsonValue,
  nameParts,
  nestsDeeper,
  type Task,
} from '../core/index.js';
import { CONTEXT } from './find-references.js';
import { replaceReferences } from './replace-references.js';

/** Hides what must not be kept in a text. */
export type Mask = (text: string) => string;

/** Longer ones are contents, not what somebody would type again. */
const MOST_CHARACTERS = 300;
const MOST_BYTES = 2_048;
const MOST_LEVELS = 8;

/** Words of a parameter that holds a secret, whether or not the configuration knows the value. */
const SECRET_WORDS = new Set(
  'password passwd passphrase passcode pwd secret credential credentials pin otp cvv cvc apikey bearer'.split(
    ' ',
  ),
);
/** Secret with another one of them beside: a `key` alone opens many a thing that is none. */
const SECRET_PAIRS = new Set(
  [
    'api key',
    'access key',
    'private key',
    'secret key',
    'auth key',
    'encryption key',
    'signing key',
  ].concat(
    ['access', 'auth', 'api', 'bearer', 'refresh', 'session', 'id', 'security', 'bot'].map(
      (word) => `${word} token`,
    ),
  ),
);

/**
 * What is remembered of the arguments of a call: what was written, not what came out of other calls
 * (`flowed` names those parameters), out of the context or out of kept results.
 */
export function literalArgs(task: Task, flowed: ReadonlySet<string>, mask: Mask): JsonObject {
  const names = new Set<string>([...task.needs, CONTEXT]);
  const written = Object.entries(task.args).filter(
    ([param, value]) => !flowed.has(param) && !refersElsewhere(value, names),
  );
  return keepArgs(Object.fromEntries(written), mask);
}

/**
 * Arguments as far as they may and need be kept: no secrets, no long texts, and not too much of
 * it. A value is kept whole or not at all; half of it would be another value.
 */
export function keepArgs(args: JsonObject, mask: Mask): JsonObject {
  let left = MOST_BYTES;
  const kept = Object.entries(args).filter(([param, value]) => {
    if (isSecretName(param) || mask(param) !== param) return false;
    if (!isKeepable(value, mask, MOST_LEVELS)) return false;
    const bytes = Buffer.byteLength(JSON.stringify({ [param]: value }));
    if (bytes > left) return false;
    left -= bytes;
    return true;
  });
  return Object.fromEntries(kept);
}

export function isSecretName(name: string): boolean {
  const words = nameParts(name);
  return (
    words.some((word) => SECRET_WORDS.has(word)) ||
    words.some((word, place) => SECRET_PAIRS.has(`${words[place - 1] ?? ''} ${word}`)) ||
    (words.length === 1 && words[0] === 'token')
  );
}

function isKeepable(value: JsonValue, mask: Mask, levels: number): boolean {
  if (typeof value === 'string') return value.length <= MOST_CHARACTERS && mask(value) === value;
  if (typeof value === 'number') return mask(String(value)) === String(value);
  if (typeof value !== 'object' || value === null) return true;
  if (nestsDeeper(value, levels)) return false;
  const entries = Object.entries(value);
  if (entries.length * 2 > MOST_BYTES) return false;
  return entries.every(
    ([key, part]: [string, JsonValue]) =>
      (Array.isArray(value) || (!isSecretName(key) && isKeepable(key, mask, 0))) &&
      isKeepable(part, mask, levels - 1),
  );
}

function refersElsewhere(value: JsonValue, names: ReadonlySet<string>): boolean {
  let isFound = false;
  const found = () => {
    isFound = true;
    return null;
  };
  if (nestsDeeper(value, MOST_LEVELS)) return false;
  replaceReferences(value, '', { isTask: (name) => names.has(name), visit: found, result: found });
  return isFound;
}
