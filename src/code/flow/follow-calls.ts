import { type Call, memberName, type Node, type NodeOf, unwrap } from '../source/ast.js';
import type { ToolPath } from '../source/tool-path.js';
import { enter, type Follow } from './enter-function.js';
import { meet } from './flow-graph.js';
import { followFork, forkOf } from './follow-fork.js';
import { rootOf } from './follow-patterns.js';
import { operationOf } from './operations.js';
import {
  computedFrom,
  fieldOf,
  NOTHING,
  oneOf,
  sourceOfValue,
  UNKNOWN,
  type Value,
} from './values.js';
import type { Walk } from './walk.js';

/** Methods that make their arguments part of their receiver. */
const ENRICHING = new Set(['add', 'append', 'push', 'set', 'splice', 'unshift']);

export function followCall(walk: Walk, node: Call, follow: Follow): Value {
  const callee = unwrap(node.callee);
  const fork = forkOf(walk, callee);
  if (fork !== undefined) return followFork(walk, node, { form: fork, evaluate: follow.evaluate });
  if (callee.type === 'MemberExpression') return followMethod(walk, node, { ...follow, callee });
  const target = follow.evaluate(callee);
  const given = node.arguments.map(follow.evaluate);
  return invoke(walk, target, { node, given, ...follow });
}

export function followNew(
  walk: Walk,
  node: NodeOf<'NewExpression'>,
  evaluate: (node: Node) => Value,
): Value {
  const operation = operationOf(node, walk.code.scopes, walk.paths);
  if (node.callee.type !== 'Identifier') evaluate(node.callee);
  const given = node.arguments.map(evaluate);
  if (!operation) return computedFrom(...given);
  return addOperation(walk, node, {
    operation: operation.id,
    receiver: given[0] ?? NOTHING,
    given: [],
  });
}

function followMethod(
  walk: Walk,
  node: Call,
  { callee, evaluate, run }: Follow & { readonly callee: NodeOf<'MemberExpression'> },
): Value {
  const receiver = evaluate(callee.object);
  const name = memberName(callee);
  if (callee.computed && name === undefined) evaluate(callee.property);
  const given = node.arguments.map(evaluate);
  const target = fieldOf(receiver, name);
  if (target.kind === 'tools' || target.kind === 'function') {
    return invoke(walk, target, { node, given, evaluate, run });
  }
  if (name === 'then' || name === 'catch' || name === 'finally') {
    return followPromise(walk, { node, name, receiver, given, evaluate, run });
  }
  const operation = operationOf(node, walk.code.scopes, walk.paths);
  if (operation) {
    const data = operation.kind === 'static' ? (given[0] ?? NOTHING) : receiver;
    const added = { operation: operation.id, receiver: data, given };
    return addOperation(walk, node, added, { evaluate, run });
  }
  const root = rootOf(callee.object);
  if (root.type === 'Identifier' && name !== undefined && ENRICHING.has(name)) {
    walk.enrich(root, given);
  }
  followCallbacks(walk, node, {
    given,
    element: computedFrom(receiver),
    follow: { evaluate, run },
  });
  if (isPromiseHelper(walk, callee)) return given[0] ?? NOTHING;
  return computedFrom(receiver, ...given);
}

/** Code that awaits `Promise.resolve(x)` gets `x`. */
function isPromiseHelper(walk: Walk, callee: NodeOf<'MemberExpression'>): boolean {
  return walk.code.scopes.isGlobal(callee.object, 'Promise') && memberName(callee) === 'resolve';
}

interface Invocation extends Follow {
  readonly node: Node;
  readonly given: readonly Value[];
}

function invoke(walk: Walk, target: Value, { node, given, evaluate, run }: Invocation): Value {
  if (target.kind === 'tools') return addCall(walk, node, target.path, given[0] ?? NOTHING);
  if (target.kind === 'function') return enter(walk, target.node, given, { evaluate, run });
  followCallbacks(walk, node, { given, element: UNKNOWN, follow: { evaluate, run } });
  return computedFrom(target, ...given);
}

function addCall(walk: Walk, node: Node, { root, names }: ToolPath, input: Value): Value {
  const [first, second] = names;
  const span = walk.span(node);
  const told = sourceOfValue(input);
  const tool = first === undefined || second === undefined ? undefined : `${first}:${second}`;
  const id =
    root === 'mcp'
      ? walk.graph.add({ kind: 'task', ...(tool !== undefined && { tool }), input: told }, span)
      : walk.graph.add(
          { kind: 'capability', ...(first !== undefined && { capability: first }), input: told },
          span,
        );
  walk.graph.provide(id, input);
  return id === undefined ? UNKNOWN : { kind: 'reference', node: id, path: [] };
}

interface AddedOperation {
  readonly operation: string;
  readonly receiver: Value;
  readonly given: readonly Value[];
}

function addOperation(
  walk: Walk,
  node: Node,
  { operation, receiver, given }: AddedOperation,
  follow?: Follow,
): Value {
  const { graph } = walk;
  const id = graph.add({ kind: 'operation', operation }, walk.span(node));
  graph.provide(id, receiver, ['receiver']);
  given.forEach((value, index) => {
    if (value !== receiver) graph.provide(id, value, [String(index)]);
  });
  const front = graph.front;
  if (follow) {
    graph.inside(id, undefined, () => {
      callEach(walk, given, { node, element: elementOf(receiver, operation), follow });
    });
  }
  graph.front = front;
  if (id === undefined) return computedFrom(receiver, ...given);
  return { kind: 'reference', node: id, path: [] };
}

function elementOf(receiver: Value, operation: string): Value {
  if (operation === 'code:reduce' || operation === 'code:reduceRight')
    return computedFrom(receiver);
  return fieldOf(receiver, undefined);
}

function callEach(
  walk: Walk,
  given: readonly Value[],
  { node, element, follow }: { node: Node; element: Value; follow: Follow },
): void {
  for (const value of given) {
    walk.uncertain(() => {
      if (value.kind === 'tools' && isTool(value.path)) addCall(walk, node, value.path, element);
      if (value.kind === 'function') enter(walk, value.node, [element, element, element], follow);
    });
  }
}

/** A whole server that is handed on is not a call of any of its tools. */
function isTool({ root, names }: ToolPath): boolean {
  return names.length >= (root === 'mcp' ? 2 : 1);
}

/** PML assumes that functions handed to unknown code are called any number of times. */
function followCallbacks(
  walk: Walk,
  node: Node,
  { given, element, follow }: { given: readonly Value[]; element: Value; follow: Follow },
): void {
  if (!given.some((value) => value.kind === 'function' || value.kind === 'tools')) return;
  const { graph } = walk;
  const before = graph.front;
  const loop = graph.add({ kind: 'loop', form: 'callback', on: walk.shown(node) }, walk.span(node));
  const adds = graph.inside(loop, undefined, () => {
    callEach(walk, given, { node, element, follow });
  });
  if (loop === undefined) return;
  if (adds) graph.front = [{ node: loop }];
  else graph.drop(loop, before);
}

function followPromise(
  walk: Walk,
  {
    node,
    name,
    receiver,
    given,
    ...follow
  }: Invocation & { readonly name: string; readonly receiver: Value },
): Value {
  const call = (value: Value | undefined, args: readonly Value[]) =>
    value?.kind === 'function' ? enter(walk, value.node, args, follow) : undefined;
  if (name === 'finally') {
    call(given[0], []);
    return receiver;
  }
  const [done, failed] = name === 'then' ? given : [undefined, given[0]];
  const settled = call(done, [receiver]) ?? receiver;
  if (failed?.kind !== 'function') return settled;
  const { graph } = walk;
  const before = graph.front;
  const decision = graph.add(
    { kind: 'decision', form: 'try', on: walk.shown(node) },
    walk.span(node),
  );
  let rescued: Value = UNKNOWN;
  const adds = graph.inside(decision, 'catch', () => {
    rescued = walk.uncertain(() => call(failed, [UNKNOWN]) ?? UNKNOWN);
  });
  if (decision !== undefined) {
    if (adds) graph.front = meet(graph.front, [{ node: decision }]);
    else graph.drop(decision, before);
  }
  return oneOf(settled, rescued);
}
