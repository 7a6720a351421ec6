/** The keywords of JSON Schema as this house reads them. A wrong value reads as if it were not given. */
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';

/** The types a schema asks for, as it writes them. None: it does not say. */
export function typeNames({ type }: JsonObject): readonly string[] {
  return typeof type === 'string' ? [type] : textsIn(type);
}

export function propertiesOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

export function requiredOf({ required }: JsonObject): readonly string[] {
  return textsIn(required);
}

/** The only values a schema takes, from `const` or `enum`. Undefined: it takes others, too. */
export function choicesOf(schema: JsonObject): readonly JsonValue[] | undefined {
  const { const: only, enum: several } = schema;
  if (only !== undefined) return [only];
  return Array.isArray(several) ? several : undefined;
}

export interface ItemSchemas {
  /** Schemas of the first items, one each. */
  readonly first: readonly JsonValue[];
  /** The schema of all others, if there is one. */
  readonly rest: JsonValue | undefined;
}

/** Until 2019-09 an array in `items` described the first items, and `additionalItems` all others. */
export function itemSchemas({ items, prefixItems, additionalItems }: JsonObject): ItemSchemas {
  if (Array.isArray(items)) return { first: items, rest: additionalItems };
  return { first: Array.isArray(prefixItems) ? prefixItems : [], rest: items };
}

export function textsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
