import { keyName, type Node } from '../source/ast.js';
import { fieldOf, oneOf, UNKNOWN, type Value } from './values.js';
import type { Walk } from './walk.js';

type Evaluate = (node: Node) => Value;

/** Gives the names of a declaration their values. */
export function declarePattern(walk: Walk, pattern: Node, value: Value, evaluate: Evaluate): void {
  bind(pattern, value, evaluate, (node, one) => {
    if (node.type === 'Identifier') walk.declare(node, one);
  });
}

/** Gives the left side of an assignment its values. */
export function assignPattern(walk: Walk, pattern: Node, value: Value, evaluate: Evaluate): void {
  bind(pattern, value, evaluate, (node, one) => {
    if (node.type === 'Identifier') walk.assign(node, one);
    if (node.type !== 'MemberExpression') return;
    evaluate(node);
    const root = rootOf(node);
    if (root.type === 'Identifier') walk.enrich(root, [one]);
  });
}

function bind(
  pattern: Node,
  value: Value,
  evaluate: Evaluate,
  give: (node: Node, value: Value) => void,
): void {
  switch (pattern.type) {
    case 'AssignmentPattern':
      return bind(pattern.left, oneOf(value, evaluate(pattern.right)), evaluate, give);
    case 'TSParameterProperty':
      return bind(pattern.parameter, value, evaluate, give);
    case 'ObjectPattern':
      for (const one of pattern.properties) {
        if (one.type === 'RestElement') bind(one.argument, value, evaluate, give);
        else bind(one.value, fieldOf(value, keyName(one)), evaluate, give);
      }
      return;
    case 'ArrayPattern':
      pattern.elements.forEach((one, index) => {
        if (!one) return;
        if (one.type === 'RestElement') bind(one.argument, restOf(value, index), evaluate, give);
        else bind(one, fieldOf(value, String(index)), evaluate, give);
      });
      return;
    case 'RestElement':
      return bind(pattern.argument, value, evaluate, give);
    default:
      give(pattern, value);
  }
}

function restOf(value: Value, index: number): Value {
  if (value.kind === 'items') return { kind: 'items', items: value.items.slice(index) };
  return value.kind === 'function' ? UNKNOWN : value;
}

/** The variable a chain of members begins with. */
export function rootOf(node: Node): Node {
  return node.type === 'MemberExpression' ? rootOf(node.object) : node;
}
