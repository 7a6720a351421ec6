import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { propertiesOf, requiredOf, typeNames } from './keywords.js';
import { referredBy } from './resolve-reference.js';

/** Far more than real schemas are put together of. */
const MOST_PARTS = 500;
const BRANCHES = ['allOf', 'anyOf', 'oneOf'];

/**
 * A schema with its `$ref` followed and its `allOf`, `anyOf` and `oneOf` laid over each other, so
 * that `properties`, `items`, `type`, `enum` and texts can be read off directly. It tells what may be
 * there, not what is valid: alternatives are united.
 */
export function resolveSchema(schema: JsonValue | undefined, document: JsonObject): JsonObject {
  const [upper, ...lower] = partsOf(schema, document);
  if (!upper) return {};
  return lower.length === 0 ? upper : overlay([upper, ...lower]);
}

/** The schema itself, then what it refers to, then its branches. Each once, so that circles end. */
function partsOf(schema: JsonValue | undefined, document: JsonObject): readonly JsonObject[] {
  const parts = new Set<JsonObject>();
  const open = [schema];
  while (open.length > 0 && parts.size < MOST_PARTS) {
    const part = open.pop();
    if (!isJsonObject(part) || parts.has(part)) continue;
    parts.add(part);
    for (const next of [referredBy(part, document), ...branchesOf(part)].toReversed()) {
      open.push(next);
    }
  }
  return [...parts];
}

function branchesOf(schema: JsonObject): readonly JsonValue[] {
  return BRANCHES.flatMap((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) ? (list.slice(0, MOST_PARTS) as readonly JsonValue[]) : [];
  });
}

/** What an upper one says stays; types, properties and required names are united. */
function overlay(parts: readonly JsonObject[]): JsonObject {
  const fromBelow = parts.toReversed();
  const { $ref: _ref, allOf: _all, anyOf: _any, oneOf: _one, ...said } = unite(fromBelow);
  const types = new Set(parts.flatMap(typeNames));
  const required = new Set(parts.flatMap(requiredOf));
  return {
    ...said,
    ...(types.size > 0 && { type: [...types] }),
    ...(said['properties'] !== undefined && { properties: unite(fromBelow.map(propertiesOf)) }),
    ...(required.size > 0 && { required: [...required] }),
  };
}

/** All that they say; where several say something of the same name, the last one does. */
function unite(objects: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(objects.flatMap((one) => Object.entries(one)));
}
