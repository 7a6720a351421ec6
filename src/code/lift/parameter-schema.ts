import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';

/** What is taken over from the schema of the tool's own parameter. */
const KEPT = ['title', 'description', 'format', 'pattern', 'minimum', 'maximum', 'enum'];

const FORMATS: readonly (readonly [string, RegExp])[] = [
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/],
  ['date', /^\d{4}-\d\d-\d\d$/],
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['uri', /^[a-z][a-z0-9+.-]*:\/\/\S+$/i],
];

/** The schema of a parameter, read from the value it had and from the tool it goes to. */
export function parameterSchema(value: JsonValue, described: JsonObject | undefined): JsonObject {
  const kept = Object.entries(described ?? {}).filter(
    ([key, one]) =>
      KEPT.includes(key) && !(key === 'enum' && !(Array.isArray(one) && one.includes(value))),
  );
  return { ...schemaOf(value), ...Object.fromEntries(kept), default: value };
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
  const kinds = new Map(value.map((one) => [JSON.stringify(schemaOf(one)), schemaOf(one)]));
  const [only] = kinds.values();
  return { type: 'array', ...(kinds.size === 1 && only && { items: only }) };
}
