import { type Call, childrenOf, type Node, type NodeOf } from '../source/ast.js';
import type { Scopes } from '../source/scopes.js';
import type { ToolPaths } from '../source/tool-path.js';

/** Methods that work on the data of a script and change nothing else. */
const METHODS = new Set([
  'concat',
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flat',
  'flatMap',
  'forEach',
  'includes',
  'join',
  'map',
  'reduce',
  'reduceRight',
  'slice',
  'some',
  'sort',
  'split',
  'toReversed',
  'toSorted',
  'toSpliced',
]);

const STATICS: Readonly<Record<string, ReadonlySet<string>>> = {
  Array: new Set(['from']),
  JSON: new Set(['parse', 'stringify']),
  Map: new Set(['groupBy']),
  Object: new Set(['assign', 'entries', 'fromEntries', 'groupBy', 'keys', 'values']),
};

const COLLECTIONS = new Set(['Map', 'Set']);

/** Besides the above: methods that at most throw, whatever they are called on. */
const HARMLESS = new Set([
  'at',
  'endsWith',
  'get',
  'has',
  'indexOf',
  'lastIndexOf',
  'match',
  'padEnd',
  'padStart',
  'replace',
  'replaceAll',
  'startsWith',
  'toFixed',
  'toISOString',
  'toLowerCase',
  'toString',
  'toUpperCase',
  'trim',
  'values',
  'keys',
  'entries',
]);

export type Operation =
  | { readonly kind: 'method'; readonly name: string; readonly id: string }
  | { readonly kind: 'static'; readonly name: string; readonly id: string }
  | { readonly kind: 'collection'; readonly name: string; readonly id: string };

/** The operation a call or `new` is, if it is one; tools that are named alike are not. */
export function operationOf(
  node: Call | NodeOf<'NewExpression'>,
  scopes: Scopes,
  paths: ToolPaths,
): Operation | undefined {
  const callee: Node = node.callee;
  if (node.type === 'NewExpression') {
    if (callee.type !== 'Identifier' || node.arguments.length === 0) return undefined;
    const { name } = callee;
    if (!COLLECTIONS.has(name) || !scopes.isGlobal(callee, name)) return undefined;
    return { kind: 'collection', name, id: `code:${name}` };
  }
  if (callee.type !== 'MemberExpression' || callee.computed || node.optional) return undefined;
  const object: Node = callee.object;
  if (object.type === 'Super' || callee.property.type !== 'Identifier') return undefined;
  const { name } = callee.property;
  if (object.type === 'Identifier' && scopes.isGlobal(object, object.name)) {
    if (Object.hasOwn(STATICS, object.name) && STATICS[object.name]?.has(name)) {
      return { kind: 'static', name, id: `code:${object.name}.${name}` };
    }
    // A method of the language itself, such as `String.raw`, is not one of data.
    if (/^[A-Z]/.test(object.name)) return undefined;
  }
  if (!METHODS.has(name) || paths.of(object)) return undefined;
  return { kind: 'method', name, id: `code:${name}` };
}

/** Whether working out an expression may do something that is noticed, beyond failing. */
export function mayHaveEffects(node: Node): boolean {
  switch (node.type) {
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return false;
    case 'AwaitExpression':
    case 'YieldExpression':
    case 'AssignmentExpression':
    case 'UpdateExpression':
    case 'NewExpression':
    case 'TaggedTemplateExpression':
    case 'ClassExpression':
      return true;
    case 'UnaryExpression':
      if (node.operator === 'delete') return true;
      break;
    case 'CallExpression':
      if (!isHarmlessCall(node)) return true;
      break;
    default:
  }
  return childrenOf(node).some(mayHaveEffects);
}

function isHarmlessCall({ callee, arguments: given }: Call): boolean {
  // A function that is handed over may do anything when it is called.
  const isPlain = given.every((one) => !/Function|Identifier/.test(one.type));
  if (callee.type === 'Identifier') return /^(?:String|Number|Boolean)$/.test(callee.name);
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  if (callee.object.type === 'Identifier' && callee.object.name === 'Math') return true;
  const { name } = callee.property;
  return HARMLESS.has(name) || (METHODS.has(name) && isPlain);
}
