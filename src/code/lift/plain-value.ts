import type { JsonValue } from '../../core/index.js';
import { keyName, type Node, unwrap } from '../source/ast.js';

/** The data an expression stands for, if it is written out in full. */
export function plainValue(wrapped: Node): JsonValue | undefined {
  const node = unwrap(wrapped);
  switch (node.type) {
    case 'Literal':
      if ('regex' in node || 'bigint' in node) return undefined;
      return node.value;
    case 'TemplateLiteral':
      return node.expressions.length === 0
        ? (node.quasis[0]?.value.cooked ?? undefined)
        : undefined;
    case 'UnaryExpression': {
      const value = plainValue(node.argument);
      // `-0` does not survive being written as JSON.
      return node.operator === '-' && typeof value === 'number' && value !== 0 ? -value : undefined;
    }
    case 'ArrayExpression':
      return plainArray(node.elements);
    case 'ObjectExpression':
      return plainObject(node.properties);
    default:
      return undefined;
  }
}

function plainArray(elements: readonly (Node | null)[]): JsonValue | undefined {
  const values: JsonValue[] = [];
  for (const element of elements) {
    const value = element ? plainValue(element) : undefined;
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function plainObject(properties: readonly Node[]): JsonValue | undefined {
  const entries: [string, JsonValue][] = [];
  for (const property of properties) {
    if (property.type !== 'Property' || property.computed || property.method) return undefined;
    const name = keyName(property);
    const value = plainValue(property.value);
    if (name === undefined || name === '__proto__' || value === undefined) return undefined;
    entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}
