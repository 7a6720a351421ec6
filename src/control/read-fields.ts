/** Readers of parameters: each gives a value of its type, or refuses with `BAD_REQUEST` what has another form. */
import { asText, isJsonObject, type JsonObject, type JsonValue, PmlError } from '../core/index.js';
import { MOST_INTENT_CHARACTERS } from '../tools/index.js';

const SHOWN_CHARACTERS = 100;

/** Reads one parameter; `name` is for the error. */
type Reader<T> = (value: JsonValue | undefined, name: string) => T;

type IsOptional<P, K extends keyof P> = Record<never, never> extends Pick<P, K> ? true : false;

type Readers<P> = {
  readonly [K in keyof P]-?: Reader<IsOptional<P, K> extends true ? P[K] | undefined : P[K]>;
};

/** Reads the parameters of one method by name; those it does not name are left out. */
export function fields<P>(readers: NoInfer<Readers<P>>): (params: JsonObject) => P {
  const all = Object.entries<Reader<unknown>>(readers);
  return (params) => {
    const read = all.map(([name, reader]) => [name, reader(params[name], name)] as const);
    // Every name of `P` was read by the reader for its type.
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as P;
  };
}

/** Null is a number that was none before it became JSON. */
export function optional<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, name) => (value === undefined || value === null ? undefined : reader(value, name));
}

export function text(value: JsonValue | undefined, name: string): string {
  if (typeof value === 'string') return value;
  throw wrong(value, name, 'a text');
}

/** A text that is not empty, such as an id. */
export function id(value: JsonValue | undefined, name: string): string {
  return text(value === '' ? undefined : value, name);
}

export function texts(value: JsonValue | undefined, name: string): readonly string[] {
  const all = Array.isArray(value) ? value : [value];
  return all.map((one) => text(one, name));
}

/** What is wanted, in words; `ask` says so where there are none. */
export function words(ask: string): Reader<string> {
  return (value) => {
    const intent = asText(value);
    if (!intent.trim()) throw new PmlError('BAD_REQUEST', ask);
    if (intent.length <= MOST_INTENT_CHARACTERS) return intent;
    throw new PmlError(
      'BAD_REQUEST',
      `The intent has ${intent.length} characters, at most ${MOST_INTENT_CHARACTERS} are read; say it in a sentence`,
    );
  };
}

export function flag(value: JsonValue | undefined, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw wrong(value, name, 'true or false');
}

export function whole(value: JsonValue | undefined, name: string): number {
  if (isWhole(value) && value >= 0) return value;
  throw wrong(value, name, 'a whole number');
}

export function wholeFrom(least: number, most: number): Reader<number> {
  return (value, name) => {
    if (isWhole(value) && value >= least && value <= most) return value;
    throw wrong(value, name, `a whole number from ${least} to ${most}`);
  };
}

function isWhole(value: JsonValue | undefined): value is number {
  return Number.isInteger(value);
}

export function choiceOf<T extends string>(known: readonly T[]): Reader<T> {
  return (value, name) => {
    const found = known.find((one) => one === value);
    if (found !== undefined) return found;
    throw wrong(value, name, `one of ${known.join(', ')}`);
  };
}

export function list(value: JsonValue | undefined, name: string): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  throw wrong(value, name, 'a list');
}

export function object(value: JsonValue | undefined, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw wrong(value, name, 'an object');
}

export function anything(value: JsonValue = null): JsonValue {
  return value;
}

function wrong(value: JsonValue | undefined, name: string, expected: string): PmlError {
  const problem =
    value === undefined
      ? `${name} is missing`
      : `${name} must be ${expected}, got ${JSON.stringify(value).slice(0, SHOWN_CHARACTERS)}`;
  return new PmlError('BAD_REQUEST', problem);
}
