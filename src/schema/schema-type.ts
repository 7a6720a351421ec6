import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { choicesOf, itemSchemas, propertiesOf, requiredOf, typeNames } from './keywords.js';
import { enterSchema, follow, type SchemaScope, within } from './schema-scope.js';
import { intersect, literal, propertyText, unite } from './type-text.js';

const SHOWN_LITERALS = 6;
const SHOWN_VARIANTS = 6;
const SHOWN_PROPERTIES = 10;

/**
 * A JSON Schema as a TypeScript type, for reading rather than compiling. Schemas come from
 * strangers: whatever is missing, wrong, circular or endless is shown as `unknown` or `…`.
 */
export function typeOfSchema(schema: unknown, scope: SchemaScope): string {
  if (schema === false) return 'never';
  if (!isJsonObject(schema)) return 'unknown';
  if (scope.budget.nodes-- <= 0) return '…';
  const inside = within(schema, scope);
  const type = intersect([ownType(schema, inside), ...combinations(schema, inside)]);
  return schema['nullable'] === true ? unite([type, 'null']) : type;
}

/** `name: type` for each property, required ones first. */
export function propertyTypes(schema: JsonObject, scope: SchemaScope): string[] {
  const required = new Set(requiredOf(schema));
  const properties = Object.entries(propertiesOf(schema));
  const ordered = [
    ...properties.filter(([name]) => required.has(name)),
    ...properties.filter(([name]) => !required.has(name)),
  ];
  return ordered.map(([name, property]) => {
    return propertyText(name, typeOfSchema(property, scope), required.has(name));
  });
}

function ownType(schema: JsonObject, scope: SchemaScope): string {
  if (typeof schema['$ref'] === 'string') return referencedType(schema['$ref'], scope);
  const choices = choicesOf(schema);
  if (choices) return choiceType(choices);
  const types = typeNames(schema);
  if (types.length === 0) return namedType(impliedType(schema), schema, scope);
  return unite(types.map((type) => namedType(type, schema, scope)));
}

function referencedType(reference: string, scope: SchemaScope): string {
  const found = follow(reference, scope);
  return found ? typeOfSchema(found.schema, found.scope) : lastSegment(reference);
}

/** A recursive or outside type can still say its name. */
function lastSegment(reference: string): string {
  const name = reference.split(/[#/]/).at(-1) ?? '';
  return /^\w{1,40}$/.test(name) ? name : 'unknown';
}

function choiceType(values: readonly JsonValue[]): string {
  const shown = values.slice(0, SHOWN_LITERALS).map(literal);
  return unite(values.length > SHOWN_LITERALS ? [...shown, '…'] : shown) || 'never';
}

function impliedType(schema: JsonObject): string | undefined {
  if (schema['properties'] || schema['additionalProperties']) return 'object';
  return schema['items'] || schema['prefixItems'] ? 'array' : undefined;
}

function namedType(type: string | undefined, schema: JsonObject, scope: SchemaScope): string {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
      return 'number';
    case 'array':
      return arrayType(schema, scope);
    case 'object':
      return objectType(schema, scope);
    default:
      return 'unknown';
  }
}

function arrayType(schema: JsonObject, scope: SchemaScope): string {
  const { first, rest } = itemSchemas(schema);
  if (first.length > 0) {
    const shown = first.slice(0, SHOWN_VARIANTS).map((item) => typeOfSchema(item, scope));
    return `[${[...shown, ...(first.length > SHOWN_VARIANTS ? ['…'] : [])].join(', ')}]`;
  }
  const item = typeOfSchema(rest, scope);
  return /[|&]/.test(item) && !/^\{.*\}$/.test(item) ? `(${item})[]` : `${item}[]`;
}

function objectType(schema: JsonObject, scope: SchemaScope): string {
  const { additionalProperties: rest } = schema;
  if (Object.keys(propertiesOf(schema)).length === 0) {
    if (!isJsonObject(rest)) return 'object';
    return `Record<string, ${typeOfSchema(rest, enterSchema(scope))}>`;
  }
  if (scope.depth <= 0) return '{…}';
  const shown = propertyTypes(schema, enterSchema(scope));
  const cut = shown.length > SHOWN_PROPERTIES ? [...shown.slice(0, SHOWN_PROPERTIES), '…'] : shown;
  return `{${cut.join(', ')}}`;
}

function combinations(schema: JsonObject, scope: SchemaScope): string[] {
  const variants = [schema['anyOf'], schema['oneOf']].filter((list) => Array.isArray(list));
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
  return [
    ...variants.map((list) => variantType(list, scope)),
    ...parts.slice(0, SHOWN_VARIANTS).map((part) => typeOfSchema(part, scope)),
  ];
}

function variantType(variants: readonly JsonValue[], scope: SchemaScope): string {
  const shown = variants.slice(0, SHOWN_VARIANTS).map((variant) => typeOfSchema(variant, scope));
  // One variant that may be anything makes the whole union say nothing.
  if (shown.includes('unknown')) return 'unknown';
  return unite(variants.length > SHOWN_VARIANTS ? [...shown, '…'] : shown);
}
