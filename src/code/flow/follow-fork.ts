import { type Call, memberName, type Node, unwrap } from '../source/ast.js';
import { meet } from './flow-graph.js';
import { oneOf, UNKNOWN, type Value } from './values.js';
import type { Walk } from './walk.js';

const FORKS = new Set(['all', 'allSettled', 'any', 'race']);

/** Which method of `Promise` a call is that waits for several things. */
export function forkOf(walk: Walk, callee: Node): string | undefined {
  if (callee.type !== 'MemberExpression') return undefined;
  const name = memberName(callee);
  const isFork = walk.code.scopes.isGlobal(callee.object, 'Promise') && FORKS.has(name ?? '');
  return isFork ? name : undefined;
}

/** Calls side by side: each element of the list is a branch of its own. */
export function followFork(
  walk: Walk,
  node: Call,
  { form, evaluate }: { readonly form: string; readonly evaluate: (node: Node) => Value },
): Value {
  const { graph } = walk;
  const before = graph.front;
  const fork = graph.add({ kind: 'fork', form }, walk.span(node));
  const fronts: (typeof graph.front)[] = [];
  const [list] = node.arguments;
  const inner = list && unwrap(list);
  const hasBranches =
    inner?.type === 'ArrayExpression' &&
    inner.elements.every((one) => one && one.type !== 'SpreadElement');
  const branches: readonly Node[] = hasBranches
    ? inner.elements.filter((one) => one !== null)
    : node.arguments;
  let isNeeded = false;
  const values = branches.map((branch) => {
    let value: Value = UNKNOWN;
    isNeeded = graph.inside(fork, undefined, () => (value = evaluate(branch))) || isNeeded;
    fronts.push(graph.front);
    return value;
  });
  if (fork !== undefined && isNeeded) {
    graph.front = meet(...fronts);
    graph.add({ kind: 'join', fork, branches: branches.length }, walk.span(node));
  } else if (fork !== undefined) graph.drop(fork, before);
  if (!hasBranches) return values[0] ?? UNKNOWN;
  if (form === 'all') return { kind: 'items', items: values };
  if (form !== 'allSettled') return oneOf(...values);
  const settled = values.map((value): Value => {
    return { kind: 'fields', fields: new Map([['value', value]]), rest: [] };
  });
  return { kind: 'items', items: settled };
}
