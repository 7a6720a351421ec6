/**
 * Whether a schema accepts less than another did. Reads the parts of JSON Schema that tools use; where
 * two parts cannot be compared, a difference counts as less: code was proven with what was before.
 */
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';

export interface Narrowing {
  /** Such as `options.mode`. */
  readonly path: string;
  /** What is different, to be read after the path. */
  readonly what: string;
}

export interface SchemaPair {
  readonly before: JsonValue | undefined;
  readonly now: JsonValue | undefined;
  readonly path: string;
  readonly within: Comparison;
}

/** Two whole schemas, and the pairs of references that were followed: each is compared once. */
export interface Comparison {
  readonly before: JsonObject;
  readonly now: JsonObject;
  readonly followed: Set<string>;
}

/** Words about a schema that no value is measured by. */
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
/** Compared here one by one; all others are compared as a whole. */
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
/** Schemas may hold themselves. */
const DEEPEST = 12;

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
  const references = [before, now].map((one) => (isJsonObject(one) ? one['$ref'] : undefined));
  if (references.includes(undefined)) return false;
  const key = JSON.stringify(references);
  if (within.followed.has(key)) return true;
  within.followed.add(key);
  return false;
}

/** The same text means the same only where its references do. */
function isSame({ before, now, within }: SchemaPair): boolean {
  if (!sameSchema(before, now)) return false;
  return !JSON.stringify(before ?? true).includes('"$ref"') || sameDefinitions(within);
}

function sameDefinitions({ before, now }: Comparison): boolean {
  const [had, has] = [before, now].map((root) => [root['$defs'] ?? {}, root['definitions'] ?? {}]);
  return sameSchema(before, now) && sameSchema(had, has);
}

/** The same but for remarks. */
export function sameSchema(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return canonicalJson(bare(one ?? true)) === canonicalJson(bare(other ?? true));
}

export function resolved(schema: JsonValue | undefined, root: JsonObject): JsonValue {
  let target = schema ?? true;
  for (let hops = 0; hops < DEEPEST && isJsonObject(target); hops++) {
    const reference = target['$ref'];
    if (typeof reference !== 'string' || !reference.startsWith('#')) break;
    let found: JsonValue | undefined = root;
    for (const step of reference.slice(1).split('/').filter(Boolean)) {
      const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
      found = isJsonObject(found) ? found[key] : undefined;
    }
    target = found ?? true;
  }
  return target;
}

function bare(schema: JsonValue, isMap = false): JsonValue {
  if (Array.isArray(schema)) return schema.map((one) => bare(one as JsonValue));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).filter(([key]) => isMap || !REMARKS.has(key));
  // Names of properties may be words of JSON Schema.
  return Object.fromEntries(
    entries.map(([key, value]) => [key, bare(value, !isMap && key === 'properties')]),
  );
}

function isAnything(schema: JsonValue): boolean {
  return schema === true || canonicalJson(bare(schema)) === '{}';
}

function typeChange(before: JsonObject, now: JsonObject): string | undefined {
  const [had, has] = [typesOf(before), typesOf(now)];
  if (!has) return undefined;
  const lost = (had ?? ['any']).filter(
    (type) => !has.includes(type) && !(type === 'integer' && has.includes('number')),
  );
  return lost.length === 0
    ? undefined
    : `type was ${(had ?? ['any']).join('|')}, is ${has.join('|')}`;
}

function typesOf(schema: JsonObject): readonly string[] | undefined {
  const type = schema['type'];
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.map(String) : undefined;
}

function valueChange(before: JsonObject, now: JsonObject): string | undefined {
  const [had, has] = [valuesOf(before), valuesOf(now)];
  if (!has) return undefined;
  if (!had) return `takes only ${has.join(', ')}`;
  const lost = had.filter((value) => !has.includes(value));
  return lost.length === 0 ? undefined : `no longer takes ${lost.join(', ')}`;
}

function valuesOf(schema: JsonObject): readonly string[] | undefined {
  if (schema['const'] !== undefined) return [canonicalJson(schema['const'])];
  const values = schema['enum'];
  return Array.isArray(values)
    ? values.map((value) => canonicalJson(value as JsonValue))
    : undefined;
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

/** A branch more is fine, a branch less is not. */
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
      .filter((name) => !(name in has) && isClosed)
      .map((name) => ({ path: inside(name), what: 'is gone' })),
    ...required
      .filter((name) => !wasRequired.has(name))
      .map((name) => ({ path: inside(name), what: 'is now required' })),
    ...Object.keys(had)
      .filter((name) => name in has)
      .flatMap((name) =>
        findNarrowings(
          { ...pair, before: had[name], now: has[name], path: inside(name) },
          depth + 1,
        ),
      ),
  ];
}

export function propertiesOf(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  return isJsonObject(properties) ? properties : {};
}

export function requiredOf(schema: JsonObject): readonly string[] {
  const required = schema['required'];
  return Array.isArray(required) ? required.map(String) : [];
}

function shown(schema: JsonValue): string {
  const text = canonicalJson(schema);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
