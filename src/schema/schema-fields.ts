import { asText, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { namesIn, resolveSchema, typeNames } from './resolve-schema.js';

/** A place in a schema where a value can stand. */
export interface Field {
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
export interface Parameter extends Field {
  readonly isRequired: boolean;
  /** The value it has when nobody gives one: its default, its constant or its only choice. */
  readonly fallback?: JsonValue;
}

/** Deeper values are found by name far too easily to mean anything. */
const MAX_DEPTH = 5;
/** Keeps one monstrous schema from slowing every plan it is in. */
const MAX_FIELDS = 300;
const PLAIN_KEY = /^[^.[\]]+$/;

export function outputFields(schema: JsonObject): readonly Field[] {
  const fields: Field[] = [];
  let level: readonly Place[] = [{ schema, path: '', names: [] }];
  // Level by level, so that the limit cuts off what lies deepest.
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const places = level.map((place) => ({
      ...place,
      schema: resolveSchema(place.schema, schema),
    }));
    for (const place of places) fields.push(fieldAt(place, schema));
    if (fields.length >= MAX_FIELDS) return fields.slice(0, MAX_FIELDS);
    level = places.flatMap(insideOf);
  }
  return fields;
}

export function inputParameters(schema: JsonObject): readonly Parameter[] {
  const { properties, required } = resolveSchema(schema, schema);
  if (!isJsonObject(properties)) return [];
  const needed = new Set(namesIn(required));
  return Object.entries(properties).map(([name, part]) => {
    const own = resolveSchema(part, schema);
    const fallback = fallbackOf(own);
    return {
      ...fieldAt({ schema: own, path: name, names: [name] }, schema),
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
  const { properties, items } = schema;
  const children = isJsonObject(properties) ? Object.entries(properties) : [];
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

function fieldAt({ schema, path, names }: ResolvedPlace, root: JsonObject): Field {
  const items = resolveSchema(schema['items'], root);
  return {
    path,
    names,
    types: typesOf(schema),
    itemTypes: typesOf(items),
    format: asText(schema['format']) || asText(schema['contentMediaType']),
    choices: Array.isArray(schema['enum']) ? (schema['enum'] as readonly JsonValue[]) : [],
    description: asText(schema['description']) || asText(schema['title']),
  };
}

function typesOf(schema: JsonObject): readonly string[] {
  const named = typeNames(schema).filter((type) => type !== 'null');
  if (named.length > 0) return named;
  if (isJsonObject(schema['properties'])) return ['object'];
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as readonly JsonValue[]) : [];
  return [...new Set(values.map(typeOfValue))].filter((type) => type !== 'null');
}

export function typeOfValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

function fallbackOf(schema: JsonObject): JsonValue | undefined {
  const { const: constant, default: initial, enum: choices } = schema;
  if (initial !== undefined) return initial;
  if (constant !== undefined) return constant;
  return Array.isArray(choices) && choices.length === 1 ? (choices[0] as JsonValue) : undefined;
}
