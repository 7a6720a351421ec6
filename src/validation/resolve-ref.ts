import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';

export interface Target {
  readonly schema: JsonValue;
  /** The resource that `#/…` inside the target points into. */
  readonly root: JsonObject;
}

/** Follows `#` and `#/…`. Undefined for what leads nowhere or elsewhere: nothing is ever fetched. */
export function resolveRef(reference: string, root: JsonObject): Target | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let target: Target = { schema: root, root };
  for (const segment of reference.split('/').slice(1)) {
    const schema = childOf(target.schema, decode(segment));
    if (schema === undefined) return undefined;
    target = { schema, root: isResource(schema) ? schema : target.root };
  }
  return target;
}

/** A schema with an `$id` of its own is a document inside the document. */
export function isResource(schema: JsonValue): schema is JsonObject {
  const id = isJsonObject(schema) ? schema['$id'] : undefined;
  return typeof id === 'string' && !id.startsWith('#');
}

function childOf(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function decode(segment: string): string {
  return percentDecoded(segment).replaceAll('~1', '/').replaceAll('~0', '~');
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not percent-encoded after all.
  }
}
