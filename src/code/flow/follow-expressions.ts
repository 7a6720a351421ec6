import { plainValue } from '../lift/plain-value.js';
import {
  isFunction,
  keyName,
  memberName,
  type Node,
  type NodeOf,
  childrenOf,
  unwrap,
} from '../source/ast.js';
import { meet } from './flow-graph.js';
import { followCall, followNew } from './follow-calls.js';
import { assignPattern } from './follow-patterns.js';
import { computedFrom, fieldOf, NOTHING, oneOf, through, UNKNOWN, type Value } from './values.js';
import type { Walk } from './walk.js';

/** Follows the body of a function; given, since statements hold expressions and the other way round. */
export type RunBody = (walk: Walk, body: Node) => void;

/** Follows an expression in the order it is worked out, and says where its value comes from. */
export function evaluate(walk: Walk, wrapped: Node, run: RunBody): Value {
  const node = unwrap(wrapped);
  const value = (one: Node) => evaluate(walk, one, run);
  if (isFunction(node)) return { kind: 'function', node };
  switch (node.type) {
    case 'Literal':
      return literalValue(node);
    case 'Identifier':
      return identifierValue(walk, node);
    case 'ChainExpression':
      return value(node.expression);
    case 'AwaitExpression':
      return value(node.argument);
    case 'MemberExpression': {
      const object = value(node.object);
      if (node.computed && memberName(node) === undefined) value(node.property);
      return fieldOf(object, memberName(node));
    }
    case 'ObjectExpression':
      return objectValue(node, value);
    case 'ArrayExpression':
      return arrayValue(node, value);
    case 'CallExpression':
      return followCall(walk, node, { evaluate: value, run });
    case 'NewExpression':
      return followNew(walk, node, value);
    case 'ConditionalExpression':
      return choose(walk, node, {
        test: node.test,
        branches: [
          ['then', node.consequent],
          ['else', node.alternate],
        ],
        value,
      });
    case 'LogicalExpression':
      return oneOf(
        value(node.left),
        choose(walk, node, {
          test: node.left,
          branches: [[BRANCH_OF[node.operator] ?? 'then', node.right]],
          value,
          isTested: true,
        }),
      );
    case 'AssignmentExpression': {
      const given = value(node.right);
      const old = node.operator === '=' ? [] : [value(node.left)];
      assignPattern(walk, node.left, old.length > 0 ? computedFrom(...old, given) : given, value);
      return given;
    }
    case 'SequenceExpression':
      return node.expressions.map(value).at(-1) ?? NOTHING;
    case 'SpreadElement':
      return computedFrom(value(node.argument));
    case 'UnaryExpression': {
      const plain = plainValue(node);
      return plain === undefined
        ? computedFrom(value(node.argument))
        : { kind: 'literal', value: plain };
    }
    case 'YieldExpression':
      return node.argument ? computedFrom(value(node.argument)) : UNKNOWN;
    case 'TemplateLiteral':
      if (node.expressions.length === 0) {
        return { kind: 'literal', value: node.quasis[0]?.value.cooked ?? '' };
      }
      return computedFrom(...node.expressions.map(value));
    case 'ClassExpression':
      return UNKNOWN;
    default:
      return computedFrom(...childrenOf(node).map(value));
  }
}

const BRANCH_OF: Readonly<Record<string, string>> = { '&&': 'then', '||': 'else', '??': 'missing' };

function literalValue(node: NodeOf<'Literal'>): Value {
  const { value } = node;
  const isJson = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isJson && !('regex' in node)
    ? { kind: 'literal', value: value as string | number | boolean | null }
    : UNKNOWN;
}

function identifierValue(walk: Walk, node: NodeOf<'Identifier'>): Value {
  const { scopes } = walk.code;
  const known = walk.read(node);
  if (known) return through(known, node.name);
  if (scopes.isGlobal(node, 'args')) return { kind: 'parameter', path: [] };
  if (scopes.isGlobal(node, 'mcp')) return { kind: 'tools', path: { root: 'mcp', names: [] } };
  if (scopes.isGlobal(node, 'cap')) return { kind: 'tools', path: { root: 'cap', names: [] } };
  if (scopes.isGlobal(node, 'undefined')) return NOTHING;
  return UNKNOWN;
}

function objectValue(node: NodeOf<'ObjectExpression'>, value: (node: Node) => Value): Value {
  const fields = new Map<string, Value>();
  const rest: Value[] = [];
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const spread = value(property.argument);
      if (spread.kind !== 'fields') rest.push(spread);
      else {
        for (const [name, field] of spread.fields) fields.set(name, field);
        rest.push(...spread.rest);
      }
      continue;
    }
    const name = keyName(property);
    if (name === undefined) {
      rest.push(computedFrom(value(property.key), value(property.value)));
    } else fields.set(name, value(property.value));
  }
  return { kind: 'fields', fields, rest };
}

function arrayValue(node: NodeOf<'ArrayExpression'>, value: (node: Node) => Value): Value {
  const items: Value[] = [];
  let isOpen = false;
  for (const element of node.elements) {
    if (!element) items.push(NOTHING);
    else if (element.type !== 'SpreadElement') items.push(value(element));
    else {
      const spread = value(element.argument);
      if (spread.kind === 'items') items.push(...spread.items);
      else {
        isOpen = true;
        items.push(spread);
      }
    }
  }
  return isOpen ? computedFrom(...items) : { kind: 'items', items };
}

interface Choice {
  readonly test: Node;
  readonly branches: readonly (readonly [string, Node])[];
  readonly value: (node: Node) => Value;
  /** The test has been followed already. */
  readonly isTested?: boolean;
}

/** A value that is one of several; a decision only if its branches do something. */
function choose(walk: Walk, node: Node, { test, branches, value, isTested }: Choice): Value {
  if (!isTested) value(test);
  const { graph } = walk;
  const before = graph.front;
  const decision = graph.add(
    { kind: 'decision', form: 'choice', on: walk.shown(test) },
    walk.span(node),
  );
  const fronts = [];
  const values: Value[] = [];
  let isNeeded = false;
  for (const [branch, expression] of branches) {
    const adds = graph.inside(decision, branch, () => {
      walk.uncertain(() => values.push(value(expression)));
    });
    isNeeded ||= adds;
    fronts.push(adds || decision === undefined ? graph.front : [{ node: decision }]);
  }
  if (decision !== undefined && !isNeeded) graph.drop(decision, before);
  else {
    const skip = branches.length === 1 && decision !== undefined ? [[{ node: decision }]] : [];
    graph.front = meet(...fronts, ...skip);
  }
  return oneOf(...values);
}
