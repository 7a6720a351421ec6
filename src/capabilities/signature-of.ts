import { type Capability, isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const DEEPEST = 3;
const MOST_VALUES = 8;

/** How it is called, as one line of TypeScript: `cap.backUp(args?: { path?: string }): Promise<unknown>`. */
export function signatureOf({ name, current }: Capability): string {
  const { parameters } = current;
  const fields = fieldsOf(parameters, DEEPEST);
  if (fields.length === 0) return `cap.${name}(): Promise<unknown>`;
  const mark = requiredOf(parameters).size > 0 ? '' : '?';
  return `cap.${name}(args${mark}: { ${fields.join('; ')} }): Promise<unknown>`;
}

function fieldsOf(schema: JsonObject, depth: number): readonly string[] {
  const properties = schema['properties'];
  if (!isJsonObject(properties)) return [];
  const required = requiredOf(schema);
  return Object.entries(properties).map(([name, field]) => {
    const shown = IDENTIFIER.test(name) ? name : JSON.stringify(name);
    return `${shown}${required.has(name) ? '' : '?'}: ${typeOf(field, depth)}`;
  });
}

function requiredOf(schema: JsonObject): ReadonlySet<string> {
  const required = schema['required'];
  return new Set(Array.isArray(required) ? required.map(String) : []);
}

function typeOf(schema: JsonValue, depth: number): string {
  if (!isJsonObject(schema)) return 'unknown';
  const values = schema['enum'];
  if (Array.isArray(values) && values.length <= MOST_VALUES) {
    return values.map((value) => JSON.stringify(value)).join(' | ');
  }
  const type = schema['type'];
  if (Array.isArray(type)) {
    return type.map((one) => typeOf({ ...schema, type: one as JsonValue }, depth)).join(' | ');
  }
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
