import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';

/** What is taken over from the schema of the tool's own parameter. */
const KEPT = ['title', 'description', 'format', 'pattern', 'minimum', 'maximum', 'enum'];

const FORMATS: readonly (readonly [string, RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['uri', /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
];

/** The schema of a parameter, read from the value it had and from the tool it goes to. */
export function parameterSchema(
  value: JsonValue,
  described: JsonObject | undefined,
  { isList = false } = {},
): JsonObject {
  const own = schemaOf(value);
  // What the tool says is about one of them.
  const isOfEach = isList && isJsonObject(own['items']) && own['items']['type'] !== 'object';
  if (!isOfEach || !Array.isArray(value)) {
    const kept = isList ? {} : keptOf(described, [value]);
    return { ...own, ...kept, default: value };
  }
  const items = { ...(own['items'] as JsonObject), ...keptOf(described, value as JsonValue[]) };
  return { ...own, items, default: value };
}

/** A choice is kept only where the values are among those to choose from. */
function keptOf(described: JsonObject = {}, values: readonly JsonValue[]): JsonObject {
  const kept = Object.entries(described).filter(([key, one]) => {
    if (key !== 'enum') return KEPT.includes(key);
    return Array.isArray(one) && values.every((value) => one.includes(value));
  });
  return Object.fromEntries(kept);
}

function schemaOf(value: JsonValue): JsonObject {
  if (value === null) return {};
  if (typeof value === 'string') {
    const format = FORMATS.find(([, form]) => form.test(value))?.[0];
    return { type: 'string', ...(format !== undefined && { format }) };
  }
  if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (isJsonObject(value)) {
    const properties = Object.entries(value).map(([name, one]) => [name, schemaOf(one)] as const);
    return { type: 'object', properties: Object.fromEntries(properties) };
  }
  const list = value as readonly JsonValue[];
  const items = list.length === 0 ? undefined : list.map(schemaOf).reduce(joined);
  return { type: 'array', ...(items && Object.keys(items).length > 0 && { items }) };
}

/** What holds for both: the type they share, and of objects the fields of either. */
function joined(one: JsonObject, other: JsonObject): JsonObject {
  const types = [one['type'], other['type']];
  if (types.every((type) => type === 'object')) {
    const [some, others] = [one, other].map((each) => propertiesOf(each));
    const fields = new Map(Object.entries(some!));
    for (const [name, schema] of Object.entries(others!)) {
      const known = fields.get(name);
      fields.set(name, known ? joined(known, schema) : schema);
    }
    return { type: 'object', properties: Object.fromEntries(fields) };
  }
  if (canonicalJson(one) === canonicalJson(other)) return one;
  if (types.every((type) => type === 'integer' || type === 'number')) return { type: 'number' };
  return types[0] === types[1] && types[0] !== undefined ? { type: types[0] } : {};
}

function propertiesOf(schema: JsonObject): Readonly<Record<string, JsonObject>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, JsonObject>>;
}
