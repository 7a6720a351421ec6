import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';

/** A value without parts. An empty list or object counts as one: it can only be copied whole. */
export type Leaf =
  | string
  | number
  | boolean
  | null
  | readonly never[]
  | Readonly<Record<string, never>>;

/** The leaves of some arguments by path: `filter.ids[0]`. */
export type Leaves = ReadonlyMap<string, Leaf>;

/** Arguments with more leaves are documents: they are not foreseen. */
export const MOST_LEAVES = 40;

const KNOWN = new WeakMap<JsonObject, Leaves>();

/** Undefined when there are too many. */
export function leavesOfArgs(args: JsonObject): Leaves | undefined {
  let leaves = KNOWN.get(args);
  if (!leaves) {
    const found = new Map<string, Leaf>();
    collect(args, '', found);
    leaves = found;
    KNOWN.set(args, leaves);
  }
  return leaves.size > MOST_LEAVES ? undefined : leaves;
}

function collect(value: JsonValue, path: string, leaves: Map<string, Leaf>): void {
  if (leaves.size > MOST_LEAVES) return;
  if (Array.isArray(value) && value.length > 0) {
    value.forEach((item: JsonValue, at) => {
      collect(item, `${path}[${at}]`, leaves);
    });
  } else if (isJsonObject(value) && (path === '' || Object.keys(value).length > 0)) {
    for (const [key, item] of Object.entries(value)) {
      collect(item, path === '' ? escaped(key) : `${path}.${escaped(key)}`, leaves);
    }
  } else {
    leaves.set(path, value as Leaf);
  }
}

const NO_NAME = '\\∅';

/** The names of arguments may hold what separates them. */
function escaped(key: string): string {
  return key === '' ? NO_NAME : key.replaceAll(/[\\.[\]]/g, (mark) => `\\${mark}`);
}

function unescaped(key: string): string {
  return key === NO_NAME ? '' : key.replaceAll(/\\(.)/gs, '$1');
}

const STEP = /\[(\d+)\]|((?:[^\\.[\]]|\\.)+)/gs;

/** The arguments that have these leaves. */
export function argsOfLeaves(leaves: Iterable<readonly [string, Leaf]>): JsonObject {
  const args: Record<string, JsonValue> = {};
  for (const [path, leaf] of leaves) {
    const steps = [...path.matchAll(STEP)].map(([, index, key]) =>
      index === undefined ? unescaped(key!) : Number(index),
    );
    place(args, steps, leaf);
  }
  return args;
}

type Container = Record<string | number, JsonValue>;

function place(args: Container, steps: readonly (string | number)[], leaf: Leaf): void {
  let here = args;
  steps.forEach((step, at) => {
    if (at === steps.length - 1) {
      put(here, step, leaf);
      return;
    }
    if (!Object.hasOwn(here, step)) put(here, step, typeof steps[at + 1] === 'number' ? [] : {});
    here = here[step] as Container;
  });
}

/** Also where the name is `__proto__`. */
function put(here: Container, step: string | number, value: JsonValue): void {
  Object.defineProperty(here, step, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

/** The last name of a path, in lower case: `filter.ids[0]` is `ids`. */
export function leafName(path: string): string {
  const names = path.replaceAll(/\[(?:\d+|\*)\]/g, '').split('.');
  return (names.at(-1) ?? '').toLowerCase();
}
