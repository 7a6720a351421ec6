import { isJsonObject, type JsonObject, type JsonValue } from '../../core/index.js';
import { propertiesOf, requiredOf } from '../../schema/index.js';

/**
 * A schema as the strictest clients take it: every node has a type, arrays have items, objects name
 * a property, enums are texts, and there are no keywords that Gemini does not know. It describes, it
 * does not decide: PML checks the arguments of a call against the schema it was made from.
 */

const KINDS = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
const KEPT = [
  ['title', 'description', 'pattern', 'default', 'minimum', 'maximum', 'minLength', 'maxLength'],
  ['minItems', 'maxItems'],
].flat();
/** The only format of a text that Gemini takes. */
const TEXT_FORMAT = 'date-time';
const TEXT: JsonObject = { type: 'string' };
/** Gemini refuses an object that names no property. */
const ANY_OBJECT: JsonObject = { type: 'object', properties: { _: TEXT } };
const ANY: JsonObject = {
  anyOf: [TEXT, { type: 'number' }, { type: 'boolean' }, ANY_OBJECT],
};

/** The parameters of a tool. */
export function clientSchema(parameters: JsonObject): JsonObject {
  const properties = clientProperties(parameters);
  const required = clientRequired(parameters, properties);
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function nodeOf(schema: JsonValue): JsonObject {
  if (!isJsonObject(schema)) return ANY;
  const kept = Object.fromEntries(
    Object.entries(schema).filter(([key]) => KEPT.includes(key)),
  ) as JsonObject;
  const kinds = kindsOf(schema);
  const [kind] = kinds;
  if (kind === undefined) return { ...kept, ...ANY };
  if (kinds.length > 1) return { ...kept, anyOf: kinds.map((one) => nodeOf({ type: one })) };
  return { type: kind, ...kept, ...detailsOf(kind, schema) };
}

function detailsOf(kind: string, schema: JsonObject): JsonObject {
  if (kind === 'array') return { items: nodeOf(schema['items'] ?? true) };
  if (kind === 'object') {
    const properties = clientProperties(schema);
    const required = clientRequired(schema, properties);
    if (Object.keys(properties).length === 0) return ANY_OBJECT;
    return { properties, ...(required.length > 0 && { required }) };
  }
  return {
    ...choiceOf(kind, schema),
    ...(schema['format'] === TEXT_FORMAT && { format: TEXT_FORMAT }),
  };
}

/** Values that are no texts are named in the description instead. */
function choiceOf(kind: string, { enum: values, description }: JsonObject): JsonObject {
  if (!Array.isArray(values)) return {};
  if (kind === 'string') {
    const texts = values.filter((one) => typeof one === 'string' && one !== '');
    return texts.length > 0 ? { enum: texts as JsonValue[] } : {};
  }
  const said = typeof description === 'string' ? `${description} ` : '';
  return { description: `${said}One of ${values.join(', ')}` };
}

/** The types that it says it has or that its keywords speak for. */
function kindsOf({ type, enum: values, properties, items }: JsonObject): readonly string[] {
  const said = [type].flat().filter((one) => KINDS.includes(one as string));
  if (said.length > 0) return said as string[];
  if (isJsonObject(properties)) return ['object'];
  if (items !== undefined) return ['array'];
  const isTexts = Array.isArray(values) && values.every((one) => typeof one === 'string');
  return isTexts ? ['string'] : [];
}

function clientProperties(schema: JsonObject): JsonObject {
  const properties = Object.entries(propertiesOf(schema));
  return Object.fromEntries(properties.map(([name, one]) => [name, nodeOf(one)]));
}

function clientRequired(schema: JsonObject, properties: JsonObject): readonly string[] {
  return requiredOf(schema).filter((name) => Object.hasOwn(properties, name));
}
