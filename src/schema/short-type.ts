import type { JsonObject } from '../core/index.js';
import { scopeOf } from './schema-scope.js';
import { typeOfSchema } from './schema-type.js';

const DEEPEST = 4;

/** A schema as a TypeScript type; too long, it loses the insides of what is nested deepest. */
export function shortType(schema: JsonObject, maxCharacters: number): string {
  for (let depth = DEEPEST; depth > 0; depth--) {
    const type = typeOfSchema(schema, scopeOf(schema, depth));
    if (type.length <= maxCharacters) return type;
  }
  return typeOfSchema(schema, scopeOf(schema, 0));
}
