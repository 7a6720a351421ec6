import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/index.js';

/** A tool as a client hands it to a model. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/** What a client refuses about a tool; empty if it takes the tool. */
type SchemaRules = (tool: ListedTool) => readonly string[];

/** Names and descriptions that the OpenAI and Anthropic interfaces take. */
const FUNCTION_NAME = /^[\w-]{1,64}$/;
const LONGEST_DESCRIPTION = 1_024;

/**
 * VS Code Copilot, `toolSchemaNormalizer.ts` of microsoft/vscode-copilot-chat. It throws "tool
 * parameters array type must have items" for an array without `items`. It repairs silently, which
 * changes what the model sees: a root that is no object or has no `properties`, an empty description,
 * combinations at the root, and a required property that is not defined.
 */
const vsCodeRules: SchemaRules = ({ description, inputSchema }) => [
  ...(description ? [] : ['description may not be empty']),
  ...(inputSchema['type'] === 'object' ? [] : ['the root must be an object']),
  ...(isJsonObject(inputSchema['properties']) ? [] : ['the root must have properties']),
  ...combinationsAtRoot(inputSchema),
  ...everyNode(inputSchema, (node) => [
    ...(node['type'] === 'array' && !node['items'] ? ['array type must have items'] : []),
    ...undefinedRequired(node),
  ]),
];

/**
 * OpenAI function calling without `strict`, from the answers of its interface: "array schema missing
 * items", "object schema missing properties", "schema must have type 'object' and not have
 * 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level", "'allOf' is not permitted", "enum value …
 * does not validate against". Names match `^[a-zA-Z0-9_-]+$` and have at most 64 characters,
 * descriptions at most 1,024.
 */
const openAiRules: SchemaRules = ({ name, description = '', inputSchema }) => [
  ...(FUNCTION_NAME.test(name) ? [] : [`name ${name} does not match`]),
  ...(description.length > LONGEST_DESCRIPTION ? ['description is too long'] : []),
  ...(inputSchema['type'] === 'object' ? [] : ['the root must be an object']),
  ...('enum' in inputSchema ? ['enum at the top level'] : []),
  ...combinationsAtRoot(inputSchema),
  ...everyNode(inputSchema, (node) => [
    ...(node['type'] === 'array' && !node['items'] ? ['array schema missing items'] : []),
    ...(node['type'] === 'object' && !isJsonObject(node['properties'])
      ? ['object schema missing properties']
      : []),
    ...('allOf' in node ? ['allOf is not permitted'] : []),
    ...enumOfOtherType(node),
  ]),
];

/** The fields of `Schema` in the Gemini API reference; others are "Cannot find field". */
const GEMINI_FIELDS = new Set(
  [
    'type format title description nullable enum maxItems minItems properties required',
    'minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering',
    'default items minimum maximum',
  ].flatMap((line) => line.split(' ')),
);
const GEMINI_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);
/** "only 'enum' and 'date-time' are supported for STRING type" */
const GEMINI_TEXT_FORMATS = new Set<unknown>(['enum', 'date-time']);

/**
 * Gemini function declarations: a select subset of an OpenAPI 3.0 schema. From the answers of its
 * interface: "items: missing field", "properties: should be non-empty for OBJECT type", "enum: only
 * allowed for STRING type", "enum[1]: cannot be empty", "didn't specify the schema type field",
 * "Unknown name … Cannot find field". A client leaves `parameters` out for a tool without any, so the
 * root may be empty.
 */
const geminiRules: SchemaRules = ({ inputSchema }) => [
  ...(inputSchema['type'] === 'object' ? [] : ['the root must be an object']),
  ...everyNode(inputSchema, (node) => [
    ...Object.keys(node).flatMap((key) => (GEMINI_FIELDS.has(key) ? [] : [`${key} is unknown`])),
    ...geminiType(node),
    ...(node['type'] === 'array' && !isJsonObject(node['items']) ? ['items: missing field'] : []),
    ...(node['type'] === 'object' && node !== inputSchema && hasNoProperties(node)
      ? ['properties should be non-empty for OBJECT type']
      : []),
    ...geminiEnum(node),
    ...undefinedRequired(node),
  ]),
];

export const CLIENT_RULES: readonly (readonly [client: string, rules: SchemaRules])[] = [
  ['VS Code Copilot', vsCodeRules],
  ['OpenAI', openAiRules],
  ['Gemini', geminiRules],
];

function geminiType(node: JsonObject): readonly string[] {
  const { type, format } = node;
  if (type === undefined && Array.isArray(node['anyOf'])) return [];
  if (typeof type !== 'string' || !GEMINI_TYPES.has(type)) return ['type is missing or unknown'];
  const isFine = type !== 'string' || format === undefined || GEMINI_TEXT_FORMATS.has(format);
  return isFine ? [] : [`format ${String(format as string)} is not supported for STRING type`];
}

function geminiEnum(node: JsonObject): readonly string[] {
  const { enum: values, type } = node;
  if (values === undefined) return [];
  if (type !== 'string') return ['enum is only allowed for STRING type'];
  const isFine = Array.isArray(values) && values.length > 0 && values.every(isFullText);
  return isFine ? [] : ['enum must hold texts that are not empty'];
}

function isFullText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function hasNoProperties({ properties }: JsonObject): boolean {
  return !isJsonObject(properties) || Object.keys(properties).length === 0;
}

function combinationsAtRoot(schema: JsonObject): readonly string[] {
  return ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'].flatMap((key) =>
    key in schema ? [`${key} at the top level`] : [],
  );
}

function undefinedRequired({ required, properties }: JsonObject): readonly string[] {
  if (!Array.isArray(required)) return [];
  const defined = isJsonObject(properties) ? properties : {};
  return (required as JsonValue[]).flatMap((key) =>
    typeof key === 'string' && key in defined
      ? []
      : [`required ${String(key as string)} undefined`],
  );
}

function enumOfOtherType({ type, enum: values }: JsonObject): readonly string[] {
  if (type !== 'string' || !Array.isArray(values)) return [];
  return values.every((value) => typeof value === 'string') ? [] : ['enum value is no string'];
}

/** Every schema inside a schema, with its place before what is wrong with it. */
function everyNode(
  schema: JsonObject,
  faultsOf: (node: JsonObject) => readonly string[],
  place = 'root',
): readonly string[] {
  const inside = (value: JsonValue | undefined, at: string): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap((one, index) => inside(one, `${at}[${index}]`));
    return isJsonObject(value) ? everyNode(value, faultsOf, at) : [];
  };
  const properties = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return [
    ...faultsOf(schema).map((fault) => `${place}: ${fault}`),
    ...properties.flatMap(([name, value]) => inside(value, `${place}.${name}`)),
    ...['items', 'additionalProperties', 'anyOf', 'allOf', 'oneOf', 'not'].flatMap((key) =>
      inside(schema[key], `${place}.${key}`),
    ),
  ];
}
