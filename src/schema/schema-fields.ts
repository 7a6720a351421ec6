import { asText, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { propertiesOf, requiredOf, typeNames } from './keywords.js';
import { resolveSchema } from './resolve-schema.js';
import { typeOfValue } from './value-type.js';

/** A place in a schema that can hold a value. */
export interface SchemaField {
  /** `items[0].id`; empty for the value as a whole. */
  readonly path: string;
  /** Names from the outside in; the last one is its own. Empty for the value as a whole. */
  readonly names: readonly string[];
  /** Empty when the schema does not say. `null` is left out: it is no reason to bind. */
  readonly types: readonly string[];
  /** Types of the items, for an array. */
  readonly itemTypes: readonly string[];
  readonly format: string;
  readonly choices: readonly JsonValue[];
  readonly description: string;
}

/** A parameter of a tool. */
export interface ToolParameter extends SchemaField {
  readonly isRequired: boolean;
  /** The value without an argument: its default, its constant or its only choice. */
  readonly fallback?: JsonValue;
}

/** Deeper values match names far too easily to mean anything. */
const MAX_DEPTH = 5;
/** Keeps one huge schema from slowing every plan it is in. */
const MAX_FIELDS = 300;
const PLAIN_KEY = /^[^.[\]]+$/;

export function outputFields(schema: JsonObject): readonly SchemaField[] {
  const fields: SchemaField[] = [];
  let level: readonly Place[] = [{ schema, path: '', names: [] }];
  // Level by level, so that the limit cuts off what lies deepest.
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const places = level.slice(0, MAX_FIELDS - fields.length).map((place) => ({
      ...place,
      schema: resolveSchema(place.schema, schema),
    }));
    for (const place of places) fields.push(fieldAt(place, schema));
    level = places.flatMap(insideOf);
  }
  return fields;
}

/** The parameters of a tool or, with `document`, of an object schema inside that document. */
export function inputParameters(
  schema: JsonObject,
  document: JsonObject = schema,
): readonly ToolParameter[] {
  const whole = resolveSchema(schema, document);
  const needed = new Set(requiredOf(whole));
  return Object.entries(propertiesOf(whole)).map(([name, part]) => {
    const own = resolveSchema(part, document);
    const fallback = fallbackOf(own);
    return {
      ...fieldAt({ schema: own, path: name, names: [name] }, document),
      isRequired: needed.has(name),
      ...(fallback !== undefined && { fallback }),
    };
  });
}

interface Place {
  readonly schema: JsonValue;
  readonly path: string;
  readonly names: readonly string[];
}

interface ResolvedPlace extends Place {
  readonly schema: JsonObject;
}

/** Children of an object, and the first item of an array. */
function insideOf({ schema, path, names }: ResolvedPlace): readonly Place[] {
  const { items } = schema;
  const children = Object.entries(propertiesOf(schema)).slice(0, MAX_FIELDS);
  return [
    ...children.map(([name, part]) => ({
      schema: part,
      path: joinPath(path, name),
      names: [...names, name],
    })),
    ...(isJsonObject(items) ? [{ schema: items, path: `${path}[0]`, names }] : []),
  ];
}

function joinPath(path: string, name: string): string {
  if (!PLAIN_KEY.test(name)) return `${path}["${name.replaceAll(/["\\]/g, '\\$&')}"]`;
  return path === '' ? name : `${path}.${name}`;
}

function fieldAt({ schema, path, names }: ResolvedPlace, document: JsonObject): SchemaField {
  const items = resolveSchema(schema['items'], document);
  return {
    path,
    names,
    types: valueTypesOf(schema),
    itemTypes: valueTypesOf(items),
    format: asText(schema['format']) || asText(schema['contentMediaType']),
    choices: Array.isArray(schema['enum']) ? (schema['enum'] as readonly JsonValue[]) : [],
    description: asText(schema['description']) || asText(schema['title']),
  };
}

function valueTypesOf(schema: JsonObject): readonly string[] {
  const named = typeNames(schema).filter((type) => type !== 'null');
  if (named.length > 0) return named;
  if (isJsonObject(schema['properties'])) return ['object'];
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as readonly JsonValue[]) : [];
  return [...new Set(values.map(typeOfValue))].filter((type) => type !== 'null');
}

function fallbackOf(schema: JsonObject): JsonValue | undefined {
  const { const: constant, default: initial, enum: choices } = schema;
  if (initial !== undefined) return initial;
  if (constant !== undefined) return constant;
  return Array.isArray(choices) && choices.length === 1 ? (choices[0] as JsonValue) : undefined;
}
