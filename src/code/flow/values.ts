import type { FunctionNode } from '../source/ast.js';
import type { ToolPath } from '../source/tool-path.js';
import type { Parameter, ValueReference, ValueSource } from './structure.js';

/** What is known of a value while code is followed. */
export type Value =
  | ValueSource
  | {
      readonly kind: 'fields';
      readonly fields: ReadonlyMap<string, Value>;
      readonly rest: readonly Value[];
    }
  | { readonly kind: 'items'; readonly items: readonly Value[] }
  | { readonly kind: 'function'; readonly node: FunctionNode }
  | { readonly kind: 'tools'; readonly path: ToolPath };

type Origin = ValueReference | Parameter;

export const UNKNOWN: Value = { kind: 'computed', from: [] };
export const NOTHING: Value = { kind: 'literal', value: null };

/** More than this many origins of one value say nothing any more. */
const MAX_ORIGINS = 50;

function originsOf(value: Value): readonly Origin[] {
  switch (value.kind) {
    case 'reference':
    case 'parameter':
      return [value];
    case 'computed':
      return value.from;
    case 'object':
      return [...Object.values(value.fields), ...(value.rest ?? [])].flatMap(originsOf);
    case 'fields':
      return [...value.fields.values(), ...value.rest].flatMap(originsOf);
    case 'array':
    case 'items':
      return value.items.flatMap(originsOf);
    default:
      return [];
  }
}

export function computedFrom(...values: readonly Value[]): Value {
  const known = new Map<string, Origin>();
  for (const origin of values.flatMap(originsOf)) {
    if (known.size < MAX_ORIGINS) known.set(JSON.stringify(origin), origin);
  }
  return { kind: 'computed', from: [...known.values()] };
}

/** One of several values; which one is unknown. */
export function oneOf(...values: readonly Value[]): Value {
  const real = values.filter((one) => !(one.kind === 'literal' && one.value === null));
  const [first, ...others] = real.length > 0 ? real : values;
  if (!first) return NOTHING;
  if (others.every((one) => isSame(one, first))) return first;
  // Parts of them can be called: keep those, since calls matter more than data.
  return real.find((one) => one.kind === 'function') ?? computedFrom(...real);
}

function isSame(one: Value, other: Value): boolean {
  if (one === other) return true;
  if (one.kind === 'function' || other.kind === 'function') return false;
  return JSON.stringify(sourceOfValue(one)) === JSON.stringify(sourceOfValue(other));
}

/** A field of a value; `undefined` is a name computed at run time. */
export function fieldOf(value: Value, name: string | undefined): Value {
  switch (value.kind) {
    case 'reference':
    case 'parameter':
      return { ...value, path: [...value.path, name ?? '*'] };
    case 'tools':
      return {
        kind: 'tools',
        path: { root: value.path.root, names: [...value.path.names, name] },
      };
    case 'fields': {
      const field = name === undefined ? undefined : value.fields.get(name);
      if (field) return field;
      if (name === undefined) return oneOf(...value.fields.values(), ...value.rest);
      return value.rest.length > 0
        ? oneOf(...value.rest.map((one) => fieldOf(one, name)))
        : UNKNOWN;
    }
    case 'items': {
      if (name === undefined || name === '*') return oneOf(...value.items);
      return /^\d+$/.test(name) ? (value.items[Number(name)] ?? NOTHING) : computedFrom(value);
    }
    case 'function':
    case 'literal':
      return UNKNOWN;
    default:
      return computedFrom(value);
  }
}

/** Remembers the variable through which a value is read. */
export function through(value: Value, variable: string): Value {
  return value.kind === 'reference' ? { ...value, variable } : value;
}

/** A value as it is reported: without calls and tools, which have no use outside. */
export function sourceOfValue(value: Value, depth = 0): ValueSource {
  if (depth > 20) return { kind: 'computed', from: [] };
  switch (value.kind) {
    case 'function':
    case 'tools':
      return { kind: 'computed', from: [] };
    case 'items':
      return { kind: 'array', items: value.items.map((one) => sourceOfValue(one, depth + 1)) };
    case 'fields': {
      const fields = Object.fromEntries(
        [...value.fields].map(([name, field]) => [name, sourceOfValue(field, depth + 1)]),
      );
      if (value.rest.length === 0) return { kind: 'object', fields };
      const rest = value.rest.map((one) => sourceOfValue(one, depth + 1));
      return { kind: 'object', fields, rest };
    }
    default:
      return value;
  }
}

/** The origins in a value, each with the way into it. */
export function flowsOf(
  value: Value,
  into: readonly string[] = [],
): readonly { readonly origin: Origin; readonly into: readonly string[] }[] {
  switch (value.kind) {
    case 'fields':
      return [
        ...[...value.fields].flatMap(([name, field]) => flowsOf(field, [...into, name])),
        ...value.rest.flatMap((one) => flowsOf(one, into)),
      ];
    case 'items':
      return value.items.flatMap((item, index) => flowsOf(item, [...into, String(index)]));
    default:
      return originsOf(value).map((origin) => ({ origin, into }));
  }
}
