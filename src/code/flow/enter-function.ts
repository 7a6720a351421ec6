import type { FunctionNode, Node } from '../source/ast.js';
import { meet } from './flow-graph.js';
import { declarePattern } from './follow-patterns.js';
import { computedFrom, NOTHING, oneOf, UNKNOWN, type Value } from './values.js';
import type { Walk } from './walk.js';

/** How expressions and bodies are followed; given, since each holds the other. */
export interface Follow {
  readonly evaluate: (node: Node) => Value;
  readonly run: (walk: Walk, body: Node) => void;
}

/** Helpers that call helpers are followed this deep. */
const MAX_DEPTH = 16;

/** Follows a function of the script where it is called. */
export function enter(
  walk: Walk,
  node: FunctionNode,
  given: readonly Value[],
  follow: Follow,
): Value {
  walk.followed.add(node);
  if (walk.active.has(node)) {
    walk.recursive.add(node);
    return computedFrom(...given);
  }
  if (walk.active.size >= MAX_DEPTH || !walk.mayEnter()) return computedFrom(...given);
  const { graph } = walk;
  const restore = graph.mark();
  const before = graph.nodes.length;
  const result = followFunction(walk, node, { given, ...follow });
  if (!walk.recursive.has(node) || graph.nodes.length === before || graph.isCut) return result;
  // It calls itself, which is a way to repeat what it does.
  restore();
  const loop = graph.add(
    { kind: 'loop', form: 'recursion', on: walk.shown(node.id ?? node) },
    walk.span(node),
  );
  let repeated = result;
  graph.inside(loop, undefined, () => {
    repeated = walk.uncertain(() => followFunction(walk, node, { given, ...follow }));
  });
  if (loop !== undefined) graph.front = [{ node: loop }];
  return repeated;
}

function followFunction(
  walk: Walk,
  node: FunctionNode,
  { given, evaluate, run }: Follow & { readonly given: readonly Value[] },
): Value {
  if (!node.body) return UNKNOWN;
  walk.active.add(node);
  node.params.forEach((parameter, index) => {
    const value: Value =
      parameter.type === 'RestElement'
        ? { kind: 'items', items: given.slice(index) }
        : (given[index] ?? NOTHING);
    declarePattern(walk, parameter, value, evaluate);
  });
  const result =
    node.body.type === 'BlockStatement' ? followBody(walk, node.body, run) : evaluate(node.body);
  walk.active.delete(node);
  return node.generator ? computedFrom(result) : result;
}

function followBody(walk: Walk, body: Node, run: Follow['run']): Value {
  const frame = { returns: [] as Value[], fronts: [] as (typeof walk.graph.front)[] };
  walk.frames.push(frame);
  run(walk, body);
  walk.frames.pop();
  if (frame.fronts.length > 0) walk.graph.front = meet(...frame.fronts);
  return frame.returns.length > 0 ? oneOf(...frame.returns) : NOTHING;
}
