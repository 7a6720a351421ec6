import {
  childrenOf,
  type FunctionNode,
  isFunction,
  memberName,
  type Node,
  type NodeOf,
  unwrap,
} from '../source/ast.js';
import type { Binding, Scopes } from '../source/scopes.js';
import type { ToolPaths } from '../source/tool-path.js';
import type { OwnFunctions } from './own-functions.js';

/** Methods that hand the elements of a list to a function and leave the list as it is. */
const VISITING = new Set([
  'every',
  'filter',
  'find',
  'flatMap',
  'forEach',
  'map',
  'reduce',
  'some',
]);
/** Methods that read a list of texts or numbers and leave it as it is. */
const READING = new Set([
  ...VISITING,
  'at',
  'concat',
  'entries',
  'includes',
  'indexOf',
  'join',
  'keys',
  'slice',
  'toReversed',
  'toSorted',
  'values',
]);

/** A place that goes through a list, with what takes each element. */
export interface Walk {
  readonly list: Node;
  readonly element: Node;
}

/**
 * Finds out whether a script only reads a list. Such a list may come from outside: it makes no
 * difference whether the list is created once or each time.
 */
export class ListReads {
  readonly #scopes: Scopes;
  readonly #paths: ToolPaths;
  readonly #functions: OwnFunctions;
  readonly #parents = new Map<Node, Node>();

  constructor(program: Node, parts: { scopes: Scopes; paths: ToolPaths; functions: OwnFunctions }) {
    this.#scopes = parts.scopes;
    this.#paths = parts.paths;
    this.#functions = parts.functions;
    this.#noteParents(program);
  }

  /** The iteration over a list, if the loop or call is one. */
  walkOf(node: Node): Walk | undefined {
    if (node.type === 'ForOfStatement' && node.left.type === 'VariableDeclaration') {
      const pattern = node.left.declarations[0]?.id;
      return pattern && walkThrough(unwrap(node.right), pattern);
    }
    if (node.type !== 'CallExpression') return undefined;
    const callee = unwrap(node.callee);
    const method = callee.type === 'MemberExpression' ? memberName(callee) : undefined;
    const [given] = node.arguments;
    if (callee.type !== 'MemberExpression' || !given || !VISITING.has(method ?? ''))
      return undefined;
    const visitor = this.#functions.of(given);
    const element = visitor?.params[method === 'reduce' ? 1 : 0];
    if (!visitor || !element || seesList(visitor, method)) return undefined;
    return { list: unwrap(callee.object), element };
  }

  /** Whether a variable that holds a list of texts, numbers or flat objects is only read. */
  isOnlyRead(binding: Binding, isFlat: boolean, seen = new Set<Binding>()): boolean {
    if (seen.has(binding)) return true;
    seen.add(binding);
    const isFixed = binding.writes.length === 0 && binding.declarations.length === 1;
    return isFixed && binding.references.every((one) => this.#isRead(one, isFlat, seen));
  }

  /** Whether the pattern that takes elements cannot change them: `{ city }` or only `trip.city`. */
  keepsElements(element: Node): boolean {
    if (element.type === 'ObjectPattern' || element.type === 'ArrayPattern') return true;
    const binding = element.type === 'Identifier' && this.#scopes.bindingOf(element);
    if (!binding || binding.writes.length > 0) return false;
    return binding.references.every((one) => {
      const [parent, node] = this.#around(one);
      if (parent?.type === 'SpreadElement') return true;
      if (parent?.type === 'CallExpression') return this.#isToolCall(parent);
      return parent?.type === 'MemberExpression' && this.#isMemberRead(parent, node);
    });
  }

  #isRead(reference: Node, isFlat: boolean, seen: Set<Binding>): boolean {
    const [parent, node] = this.#around(reference);
    if (!parent) return false;
    switch (parent.type) {
      case 'ForOfStatement':
        return parent.right === node;
      case 'CallExpression':
        if (this.#isToolCall(parent)) return true;
        return this.#isReadByOwn(reference, isFlat, seen);
      case 'Property':
        return this.#isHandedOut(parent);
      case 'ReturnStatement':
        return this.#endsScript(parent);
      case 'SpreadElement':
      case 'TemplateLiteral':
        return isFlat;
      case 'MemberExpression':
        return this.#isMember(parent, node, isFlat);
      default:
        return false;
    }
  }

  /** `list.length`, `list.map(…)`; of texts and numbers also `list[0]` and `list.join()`. */
  #isMember(member: NodeOf<'MemberExpression'>, list: Node, isFlat: boolean): boolean {
    if (!this.#isMemberRead(member, list)) return false;
    const name = memberName(member);
    if (name === 'length') return true;
    const [call, callee] = this.#around(member);
    const isCall = call?.type === 'CallExpression' && call.callee === callee;
    if (!isCall) return isFlat && (member.computed || name === undefined);
    if (this.walkOf(call)) return true;
    // A function that gets the list itself may do anything with it.
    return isFlat && READING.has(name ?? '') && !VISITING.has(name ?? '');
  }

  #isMemberRead(member: NodeOf<'MemberExpression'>, object: Node): boolean {
    if (member.object !== object) return member.property === object;
    const [parent, node] = this.#around(member);
    if (parent?.type === 'AssignmentExpression') return parent.left !== node;
    if (parent?.type === 'UpdateExpression') return false;
    return !(parent?.type === 'UnaryExpression' && parent.operator === 'delete');
  }

  #isReadByOwn(given: Node, isFlat: boolean, seen: Set<Binding>): boolean {
    const into = this.#functions.passed.filter((one) => one.given === given);
    return into.length > 0 && into.every((one) => this.isOnlyRead(one.into, isFlat, seen));
  }

  #isToolCall(call: NodeOf<'CallExpression'>): boolean {
    return this.#paths.of(call.callee) !== undefined;
  }

  /** Whether a property belongs to the input object of a tool or to the result of the script. */
  #isHandedOut(property: Node): boolean {
    const [object] = this.#around(property);
    if (object?.type !== 'ObjectExpression') return false;
    const [user] = this.#around(object);
    if (user?.type === 'Property') return this.#isHandedOut(user);
    if (user?.type === 'ReturnStatement') return this.#endsScript(user);
    return user?.type === 'CallExpression' && this.#isToolCall(user);
  }

  #endsScript(node: Node): boolean {
    const parent = this.#parents.get(node);
    return !parent || (!isFunction(parent) && this.#endsScript(parent));
  }

  /** What uses a node, and the node as that sees it: parentheses and type assertions included. */
  #around(node: Node): readonly [user: Node | undefined, seen: Node] {
    let seen = node;
    let user = this.#parents.get(node);
    while (user && unwrap(user) !== user) {
      seen = user;
      user = this.#parents.get(user);
    }
    return [user, seen];
  }

  #noteParents(node: Node): void {
    for (const child of childrenOf(node)) {
      this.#parents.set(child, node);
      this.#noteParents(child);
    }
  }
}

/** Of `list.entries()` the second part is the element. */
function walkThrough(list: Node, pattern: Node): Walk {
  const callee = list.type === 'CallExpression' ? unwrap(list.callee) : undefined;
  if (callee?.type !== 'MemberExpression' || memberName(callee) !== 'entries') {
    return { list, element: pattern };
  }
  const second = pattern.type === 'ArrayPattern' ? pattern.elements[1] : undefined;
  return second ? { list: unwrap(callee.object), element: second } : { list, element: pattern };
}

/** Whether a function that visits a list is handed the list as well. */
function seesList({ params, body }: FunctionNode, method: string | undefined): boolean {
  const most = method === 'reduce' ? 3 : 2;
  return (
    params.length > most ||
    params.some(({ type }) => type === 'RestElement') ||
    (body !== null && namesArguments(body))
  );
}

function namesArguments(node: Node): boolean {
  if (node.type === 'Identifier' && node.name === 'arguments') return true;
  const isOther = isFunction(node) && node.type !== 'ArrowFunctionExpression';
  return !isOther && childrenOf(node).some(namesArguments);
}
