import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';

/** References and unions nest far less in real schemas; a circular one ends here. */
const MAX_STEPS = 16;

/**
 * A schema with its `$ref` followed and its `allOf`, `anyOf` and `oneOf` laid over each other, so
 * that `properties`, `items`, `type`, `enum` and texts can be read off directly. It tells what may be
 * there, not what is valid: alternatives are united.
 */
export function resolveSchema(schema: JsonValue | undefined, root: JsonObject): JsonObject {
  return resolve(schema, root, MAX_STEPS);
}

function resolve(schema: JsonValue | undefined, root: JsonObject, steps: number): JsonObject {
  if (!isJsonObject(schema) || steps === 0) return {};
  const target = schema['$ref'];
  const referred =
    typeof target === 'string' ? resolve(follow(target, root), root, steps - 1) : undefined;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => {
    const list = schema[key];
    return Array.isArray(list) ? list.map((part) => resolve(part, root, steps - 1)) : [];
  });
  if (!referred && parts.length === 0) return schema;
  return [...(referred ? [referred] : []), ...parts].reduce(overlay, schema);
}

function follow(pointer: string, root: JsonObject): JsonValue | undefined {
  if (!pointer.startsWith('#')) return undefined;
  let value: JsonValue | undefined = root;
  for (const step of pointer.slice(1).split('/').slice(1)) {
    const key = decodeURIComponentSafely(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = (value as readonly JsonValue[])[Number(key)];
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A lone `%` is no escape: the key is meant as it stands.
  }
}

/** What the upper one says stays; types and properties are united. */
function overlay(upper: JsonObject, lower: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...lower, ...upper };
  const types = [...typeNames(upper), ...typeNames(lower)];
  if (types.length > 0) merged['type'] = [...new Set(types)];
  const [mine, theirs] = [upper['properties'], lower['properties']];
  if (isJsonObject(mine) && isJsonObject(theirs)) merged['properties'] = { ...theirs, ...mine };
  const required = [...namesIn(upper['required']), ...namesIn(lower['required'])];
  if (required.length > 0) merged['required'] = [...new Set(required)];
  return merged;
}

export function typeNames({ type }: JsonObject): readonly string[] {
  return typeof type === 'string' ? [type] : namesIn(type);
}

export function namesIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}
