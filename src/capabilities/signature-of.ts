import { type Capability, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { propertiesOf, propertyText, requiredOf, typeNames } from '../schema/index.js';

const DEEPEST = 3;
const MOST_VALUES = 8;

/** How it is called, as one line of TypeScript: `cap.backUp(args?: { path?: string }): Promise<unknown>`. */
export function signatureOf({ name, current }: Capability): string {
  const { parameters } = current;
  const fields = fieldsOf(parameters, DEEPEST);
  if (fields.length === 0) return `cap.${name}(): Promise<unknown>`;
  const mark = requiredOf(parameters).length > 0 ? '' : '?';
  return `cap.${name}(args${mark}: { ${fields.join('; ')} }): Promise<unknown>`;
}

function fieldsOf(schema: JsonObject, depth: number): readonly string[] {
  const required = new Set(requiredOf(schema));
  return Object.entries(propertiesOf(schema)).map(([name, field]) => {
    return propertyText(name, typeOf(field, depth), required.has(name));
  });
}

function typeOf(schema: JsonValue, depth: number): string {
  if (!isJsonObject(schema)) return 'unknown';
  const values = schema['enum'];
  if (Array.isArray(values) && values.length <= MOST_VALUES) {
    return values.map((value) => JSON.stringify(value)).join(' | ');
  }
  const types = typeNames(schema).map((type) => namedType(type, schema, depth));
  return types.join(' | ') || 'unknown';
}

function namedType(type: string, schema: JsonObject, depth: number): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type;
    case 'array':
      return listOf(typeOf(schema['items'] ?? true, depth - 1));
    case 'object': {
      const fields = depth > 0 ? fieldsOf(schema, depth - 1) : [];
      return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'object';
    }
    default:
      return 'unknown';
  }
}

function listOf(type: string): string {
  return type.includes(' ') ? `(${type})[]` : `${type}[]`;
}
