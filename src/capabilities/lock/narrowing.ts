/**
 * Whether a schema accepts less than another did. Reads the parts of JSON Schema that tools use. If
 * two parts cannot be compared, a difference counts as less: the older schema proved the code.
 */
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import {
  choicesOf,
  followReferences,
  propertiesOf,
  referredBy,
  requiredOf,
  typeNames,
} from '../../schema/index.js';

export interface Narrowing {
  /** Such as `options.mode`. */
  readonly path: string;
  /** The difference, as a phrase that follows the path. */
  readonly what: string;
}

export interface SchemaPair {
  readonly before: JsonValue | undefined;
  readonly now: JsonValue | undefined;
  readonly path: string;
  readonly within: Comparison;
}

/** Two whole schemas and the pairs of references already compared: each pair is compared once. */
export interface Comparison {
  readonly before: JsonObject;
  readonly now: JsonObject;
  readonly followed: Map<JsonValue, Set<JsonValue>>;
  /** Whether all that a reference can lead to is the same in both. */
  readonly isSameThroughout: boolean;
}

/** Annotation keywords: they validate no value. */
const REMARKS = new Set([
  '$comment',
  '$defs',
  '$id',
  '$schema',
  'default',
  'definitions',
  'deprecated',
  'description',
  'examples',
  'format',
  'readOnly',
  'title',
  'writeOnly',
]);
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
/** Keywords compared one by one; all others are compared as a whole. */
const KNOWN = new Set([
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
  'additionalProperties',
  'anyOf',
  'const',
  'enum',
  'items',
  'oneOf',
  'properties',
  'required',
  'type',
]);
/** Their keys are names that the server chose, which may equal keywords of JSON Schema. */
const NAMED = new Set([
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);
const DATA = new Set(['const', 'enum']);
/** Schemas may be recursive. */
const DEEPEST = 12;

export function compareWithin(before: JsonObject, now: JsonObject): Comparison {
  const isSameThroughout = canonicalJson(before) === canonicalJson(now);
  return { before, now, followed: new Map(), isSameThroughout };
}

export function findNarrowings(pair: SchemaPair, depth = 0): readonly Narrowing[] {
  if (depth > DEEPEST || isFollowed(pair) || isSame(pair)) return [];
  const before = resolved(pair.before, pair.within.before);
  const now = resolved(pair.now, pair.within.now);
  if (isAnything(now)) return [];
  if (!isJsonObject(before) || !isJsonObject(now)) {
    return [{ path: pair.path, what: `was ${shown(before)}, is ${shown(now)}` }];
  }
  const at = (what: string): Narrowing => ({ path: pair.path, what });
  const type = typeChange(before, now);
  if (type) return [at(type)];
  return [
    ...[valueChange(before, now), ...boundChanges(before, now)].flatMap((one) => one ?? []).map(at),
    ...branchChanges(before, now).map(at),
    ...otherChanges(before, now).map(at),
    ...propertyChanges({ ...pair, before, now }, depth),
    ...findNarrowings(
      {
        ...pair,
        before: before['items'] ?? true,
        now: now['items'] ?? true,
        path: `${pair.path}[]`,
      },
      depth + 1,
    ),
  ];
}

function isFollowed({ before, now, within }: SchemaPair): boolean {
  const one = isJsonObject(before) && referredBy(before, within.before);
  const other = isJsonObject(now) && referredBy(now, within.now);
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const met = within.followed.get(one) ?? new Set();
  if (met.has(other)) return true;
  within.followed.set(one, met.add(other));
  return false;
}

/** Equal texts are equal schemas only if their references are. */
function isSame({ before, now, within }: SchemaPair): boolean {
  if (!sameSchema(before, now)) return false;
  return within.isSameThroughout || !JSON.stringify(before ?? true).includes('"$ref"');
}

/** Equal except for annotations. */
export function sameSchema(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return canonicalJson(bare(one ?? true)) === canonicalJson(bare(other ?? true));
}

/** Resolves references. A dangling reference accepts every value. */
export function resolved(schema: JsonValue | undefined, document: JsonObject): JsonValue {
  const target = followReferences(schema ?? true, document);
  const reference = isJsonObject(target) ? target['$ref'] : undefined;
  const isDangling =
    isJsonObject(target) &&
    typeof reference === 'string' &&
    reference.startsWith('#') &&
    referredBy(target, document) === undefined;
  return isDangling ? true : target;
}

function bare(schema: JsonValue, isMap = false): JsonValue {
  if (Array.isArray(schema)) return schema.map((one) => bare(one as JsonValue));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).filter(([key]) => isMap || !REMARKS.has(key));
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      !isMap && DATA.has(key) ? value : bare(value, !isMap && NAMED.has(key)),
    ]),
  );
}

function isAnything(schema: JsonValue): boolean {
  return schema === true || canonicalJson(bare(schema)) === '{}';
}

function typeChange(before: JsonObject, now: JsonObject): string | undefined {
  const [named, has] = [typeNames(before), typeNames(now)];
  if (has.length === 0) return undefined;
  const had = named.length === 0 ? ['any'] : named;
  const lost = had.filter(
    (type) => !has.includes(type) && !(type === 'integer' && has.includes('number')),
  );
  return lost.length === 0 ? undefined : `type was ${had.join('|')}, is ${has.join('|')}`;
}

function valueChange(before: JsonObject, now: JsonObject): string | undefined {
  const [had, has] = [valuesOf(before), valuesOf(now)];
  if (!has) return undefined;
  if (!had) return `takes only ${has.join(', ')}`;
  const lost = had.filter((value) => !has.includes(value));
  return lost.length === 0 ? undefined : `no longer takes ${lost.join(', ')}`;
}

function valuesOf(schema: JsonObject): readonly string[] | undefined {
  return choicesOf(schema)?.map(canonicalJson);
}

function boundChanges(before: JsonObject, now: JsonObject): readonly string[] {
  const changed = (keys: readonly string[], isLess: (had: number, has: number) => boolean) =>
    keys.filter((key) => {
      const [had, has] = [before[key], now[key]];
      if (typeof has !== 'number') return false;
      return typeof had !== 'number' || isLess(had, has);
    });
  return [
    ...changed(LOWER_BOUNDS, (had, has) => has > had),
    ...changed(UPPER_BOUNDS, (had, has) => has < had),
  ].map((key) => `${key} was ${shown(before[key] ?? 'none')}, is ${shown(now[key] ?? 'none')}`);
}

/** An added branch is compatible, a removed branch is not. */
function branchChanges(before: JsonObject, now: JsonObject): readonly string[] {
  return (['anyOf', 'oneOf'] as const).flatMap((key) => {
    const [had, has] = [before[key], now[key]];
    if (!Array.isArray(has)) return [];
    const all = has.map((one) => canonicalJson(bare(one as JsonValue)));
    const isKept = (one: JsonValue) => all.includes(canonicalJson(bare(one)));
    return Array.isArray(had) && had.every(isKept) ? [] : [`${key} is another`];
  });
}

function otherChanges(before: JsonObject, now: JsonObject): readonly string[] {
  return Object.keys(now)
    .filter((key) => !KNOWN.has(key) && !REMARKS.has(key))
    .filter((key) => !sameSchema(before[key] ?? null, now[key]))
    .map((key) => `${key} is another`);
}

/** Properties of a nested object: any of them may be in use. */
function propertyChanges(
  pair: SchemaPair & { readonly before: JsonObject; readonly now: JsonObject },
  depth: number,
): readonly Narrowing[] {
  const [had, has] = [propertiesOf(pair.before), propertiesOf(pair.now)];
  const required = requiredOf(pair.now);
  const wasRequired = new Set(requiredOf(pair.before));
  const inside = (name: string) => (pair.path ? `${pair.path}.${name}` : name);
  const isClosed = pair.now['additionalProperties'] === false;
  return [
    ...Object.keys(had)
      .filter((name) => !Object.hasOwn(has, name) && isClosed)
      .map((name) => ({ path: inside(name), what: 'is gone' })),
    ...required
      .filter((name) => !wasRequired.has(name))
      .map((name) => ({ path: inside(name), what: 'is now required' })),
    ...Object.keys(had)
      .filter((name) => Object.hasOwn(has, name))
      .flatMap((name) =>
        findNarrowings(
          { ...pair, before: had[name], now: has[name], path: inside(name) },
          depth + 1,
        ),
      ),
  ];
}

function shown(schema: JsonValue): string {
  const text = canonicalJson(schema);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
