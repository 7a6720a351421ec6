import type { ToolId } from '../core/index.js';
import type { KnowledgeGraph } from './knowledge-graph.js';

/**
 * How much two nodes have in common: the nodes that both have an edge with, whatever its direction,
 * each worth the less the more others it has an edge with.
 */
export function adamicAdar({ model }: KnowledgeGraph, a: ToolId, b: ToolId): number {
  if (a === b || !model.hasNode(a) || !model.hasNode(b)) return 0;
  const [few, many] = [model.neighbors(a), model.neighbors(b)].toSorted(
    (one, other) => one.length - other.length,
  ) as [string[], string[]];
  const others = new Set(many);
  // Whoever two have in common has at least these two, so the logarithm is never 0.
  return few
    .filter((one) => others.has(one))
    .map((one) => 1 / Math.log(model.neighbors(one).length))
    .toSorted((one, other) => one - other)
    .reduce((sum, part) => sum + part, 0);
}

/**
 * How much a node has to do with some others, in [0, 1]: its strongest edge with one of them, or what
 * it has in common with one of them, whichever is more.
 */
export function relatedness(graph: KnowledgeGraph, id: ToolId, context: readonly ToolId[]): number {
  const edges = new Map<ToolId, number>();
  const note = (other: ToolId, weight: number) =>
    edges.set(other, Math.max(weight, edges.get(other) ?? 0));
  for (const { to, weight } of graph.out(id)) note(to, weight);
  for (const { from, weight } of graph.in(id)) note(from, weight);
  return context.reduce((most, other) => {
    const common = adamicAdar(graph, id, other);
    return Math.max(most, edges.get(other) ?? 0, common / (1 + common));
  }, 0);
}
