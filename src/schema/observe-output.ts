import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { propertiesOf, requiredOf, typeNames } from './keywords.js';
import { hasType, typeOfValue } from './value-type.js';

/**
 * Learns what the results of a tool look like. What it makes is a JSON Schema of a few words only:
 * `type`, `properties`, `required`, `additionalProperties` and `items`; `{}` is anything. It never
 * holds a value of a result, and keys that are data (ids, dates, names of a map) go into one
 * `additionalProperties`. A schema with `additionalProperties` and no `properties` is such a map, and
 * stays one whatever is seen later.
 */

const MAX_DEPTH = 8;
/** A real result has fewer keys; more of them are data. */
const MAX_PROPERTIES = 80;
/** So many values of one shape in one object are entries of a map. */
const MAP_ENTRIES = 12;
const MAX_NODES = 600;
const MAX_KEY = 60;
/** Keys that name something rather than being data: few digits, and nothing addresses are made of. */
const NAMING_KEY = /^(?!(?:.*\d){4})(?![\da-f-]{16,}$)(?!__proto__$)[\p{L}_$@][\p{L}\d_$ -]*$/iu;

/** The schema of everything seen so far and this value. The very same one when it told nothing new. */
export function observeOutput(known: JsonObject | undefined, value: JsonValue): JsonObject {
  if (known && covers(known, value)) return known;
  const seen = shapeOf(value, MAX_DEPTH);
  return withinBounds(known ? merge(known, seen) : seen);
}

/** Whether the schema has a place for every part of the value. */
function covers(schema: JsonObject, value: JsonValue): boolean {
  const types = typeNames(schema);
  if (types.length === 0) return true;
  if (!types.some((type) => hasType(value, type))) return false;
  if (Array.isArray(value)) return coversItems(schema, value);
  return !isJsonObject(value) || coversProperties(schema, value);
}

function coversItems({ items }: JsonObject, values: readonly JsonValue[]): boolean {
  if (!isJsonObject(items)) return values.length === 0;
  return values.every((item) => covers(items, item));
}

function coversProperties(schema: JsonObject, value: JsonObject): boolean {
  const properties = propertiesOf(schema);
  if (!requiredOf(schema).every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([key, item]) => {
    const place = Object.hasOwn(properties, key) ? properties[key] : schema['additionalProperties'];
    return isJsonObject(place) && covers(place, item);
  });
}

function shapeOf(value: JsonValue, depth: number): JsonObject {
  const type = typeOfValue(value);
  if (Array.isArray(value)) return shapeOfArray(value as readonly JsonValue[], depth);
  return isJsonObject(value) ? shapeOfObject(value, depth) : { type };
}

function shapeOfArray(values: readonly JsonValue[], depth: number): JsonObject {
  if (depth === 0) return { type: 'array', items: {} };
  let items: JsonObject | undefined;
  for (const value of values) {
    // Items are mostly alike, and looking is far cheaper than merging.
    if (items && covers(items, value)) continue;
    const shape = shapeOf(value, depth - 1);
    items = items ? merge(items, shape) : shape;
  }
  return { type: 'array', ...(items && { items }) };
}

function shapeOfObject(value: JsonObject, depth: number): JsonObject {
  if (depth === 0) return { type: 'object', additionalProperties: {} };
  const properties = new Map<string, JsonObject>();
  let rest: JsonObject | undefined;
  for (const [key, item] of Object.entries(value)) {
    const shape = shapeOf(item, depth - 1);
    if (key.length <= MAX_KEY && NAMING_KEY.test(key)) properties.set(key, shape);
    else rest = rest ? merge(rest, shape) : shape;
  }
  return { type: 'object', ...objectPart(properties, { required: properties.keys(), rest }) };
}

function merge(a: JsonObject, b: JsonObject): JsonObject {
  const types = new Set([...typeNames(a), ...typeNames(b)]);
  if (typeNames(a).length === 0 || typeNames(b).length === 0) return {};
  if (types.has('number')) types.delete('integer');
  const [only, ...more] = [...types].toSorted();
  return {
    type: more.length === 0 ? (only as string) : [only as string, ...more],
    ...mergeObjects(a, b),
    ...mergeItems(a['items'], b['items']),
  };
}

function mergeItems(a: JsonValue | undefined, b: JsonValue | undefined): JsonObject {
  if (isJsonObject(a) && isJsonObject(b)) return { items: merge(a, b) };
  const items = a ?? b;
  return items === undefined ? {} : { items };
}

function mergeObjects(a: JsonObject, b: JsonObject): JsonObject {
  const [isInA, isInB] = [typeNames(a).includes('object'), typeNames(b).includes('object')];
  if (!isInA && !isInB) return {};
  const properties = new Map(shapesIn(a));
  for (const [key, shape] of shapesIn(b)) {
    const mine = properties.get(key);
    properties.set(key, mine ? merge(mine, shape) : shape);
  }
  const [mine, theirs] = [requiredOf(a), new Set(requiredOf(b))];
  const both = isInA && isInB ? mine.filter((name) => theirs.has(name)) : [...mine, ...theirs];
  const rests = [a, b].map((schema) => schema['additionalProperties']).filter(isJsonObject);
  return objectPart(properties, {
    required: both,
    rest: rests.length > 0 ? rests.reduce(merge) : undefined,
    isMap: isMap(a) || isMap(b),
  });
}

interface ObjectParts {
  readonly required: Iterable<string>;
  readonly rest: JsonObject | undefined;
  readonly isMap?: boolean;
}

function objectPart(
  properties: ReadonlyMap<string, JsonObject>,
  { required, rest, isMap: wasMap = false }: ObjectParts,
): JsonObject {
  const hasProperties = properties.size > 0;
  if (wasMap || properties.size > MAX_PROPERTIES || areEntries(properties)) {
    const shapes = [...properties.values(), ...(rest ? [rest] : [])];
    return { additionalProperties: shapes.reduce(merge) };
  }
  const names = [...required].toSorted();
  return {
    ...(hasProperties && { properties: Object.fromEntries([...properties].toSorted(byKey)) }),
    ...(names.length > 0 && { required: names }),
    ...(rest && { additionalProperties: rest }),
  };
}

/** Many objects with the same keys beside each other. */
function areEntries(properties: ReadonlyMap<string, JsonObject>): boolean {
  if (properties.size < MAP_ENTRIES) return false;
  const shapes = new Set<string>();
  for (const shape of properties.values()) {
    const names = Object.keys(propertiesOf(shape));
    if (names.length === 0) return false;
    shapes.add(canonicalJson(names));
  }
  return shapes.size === 1;
}

function isMap(schema: JsonObject): boolean {
  return isJsonObject(schema['additionalProperties']) && !isJsonObject(schema['properties']);
}

/** Cuts off what lies deepest until the rest is small enough to keep. */
function withinBounds(schema: JsonObject): JsonObject {
  let [bounded, depth] = [schema, MAX_DEPTH];
  while (nodesOf(bounded) > MAX_NODES && depth > 0) bounded = cutOff(schema, --depth);
  return bounded;
}

function nodesOf(schema: JsonObject): number {
  return childrenOf(schema).reduce((sum, child) => sum + nodesOf(child), 1);
}

function childrenOf(schema: JsonObject): readonly JsonObject[] {
  const { items, additionalProperties: rest } = schema;
  const inside = shapesIn(schema).map(([, shape]) => shape);
  return [...inside, ...[items, rest].filter(isJsonObject)];
}

function cutOff(schema: JsonObject, depth: number): JsonObject {
  const { items, additionalProperties: rest, properties, ...own } = schema;
  if (depth === 0) {
    const { required: _, ...bare } = own;
    return {
      ...bare,
      ...(typeNames(schema).includes('object') && { additionalProperties: {} }),
      ...(typeNames(schema).includes('array') && { items: {} }),
    };
  }
  const inside = shapesIn(schema).map(([key, shape]) => [key, cutOff(shape, depth - 1)] as const);
  return {
    ...own,
    ...(properties !== undefined && { properties: Object.fromEntries(inside) }),
    ...(isJsonObject(items) && { items: cutOff(items, depth - 1) }),
    ...(isJsonObject(rest) && { additionalProperties: cutOff(rest, depth - 1) }),
  };
}

function shapesIn(schema: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(propertiesOf(schema)).flatMap(([key, shape]) =>
    isJsonObject(shape) ? [[key, shape] as const] : [],
  );
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : Number(a > b);
}
