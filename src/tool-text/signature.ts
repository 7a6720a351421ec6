import { isJsonObject, type ToolDefinition } from '../core/index.js';
import { follow, nameOf, propertyTypes, scopeOf, typeOfSchema } from '../schema/index.js';

/** About 120 tokens. */
const MAX_CHARACTERS = 400;
const DEEPEST = 3;

export interface SignatureOptions {
  readonly maxCharacters?: number;
}

/**
 * A tool as one line of TypeScript: `read_file(path: string, head?: number): {content: string}`.
 * The result type is shown only if the server declares it. Too long, it first loses the insides of
 * nested objects, then the result type, then its last parameters; required ones come first. Never throws.
 */
export function signature(
  definition: ToolDefinition,
  { maxCharacters = MAX_CHARACTERS }: SignatureOptions = {},
): string {
  for (let depth = DEEPEST; depth >= 0; depth--) {
    const { parameters, result } = partsOf(definition, depth);
    const whole = `${nameOf(String(definition.name))}(${parameters.join(', ')})${result}`;
    if (whole.length <= maxCharacters) return whole;
  }
  const { parameters } = partsOf(definition, 0);
  return cutParameters(nameOf(String(definition.name)), parameters, maxCharacters);
}

function partsOf(definition: ToolDefinition, depth: number) {
  const { inputSchema, outputSchema } = definition;
  const result = isJsonObject(outputSchema)
    ? `: ${typeOfSchema(outputSchema, scopeOf(outputSchema, depth))}`
    : '';
  return { parameters: parametersOf(inputSchema, depth), result };
}

function parametersOf(schema: unknown, depth: number): string[] {
  if (!isJsonObject(schema)) return [];
  const scope = scopeOf(schema, depth);
  const target = typeof schema['$ref'] === 'string' ? follow(schema['$ref'], scope) : undefined;
  // The target is the tool itself here, and may be shown once more inside.
  const properties = target
    ? propertyTypes(target.schema, { ...target.scope, following: [] })
    : propertyTypes(schema, scope);
  if (properties.length > 0) return properties;
  const whole = typeOfSchema(schema, scope);
  return ['object', 'unknown'].includes(whole) ? [] : [`args: ${whole}`];
}

function cutParameters(name: string, parameters: readonly string[], maxCharacters: number): string {
  let shown = '';
  for (const parameter of parameters) {
    const next = `${shown}${parameter}, `;
    if (name.length + next.length + '(…)'.length > maxCharacters) break;
    shown = next;
  }
  return `${name}(${shown}…)`;
}
