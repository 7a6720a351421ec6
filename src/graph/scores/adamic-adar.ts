import type { ToolId } from '../../core/index.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';

/**
 * How closely a node is related to some others, in [0, 1]: its strongest edge with one of them, or
 * its common neighbours with one of them, whichever is more.
 */
export function relatednessTo(
  graph: KnowledgeGraph,
  others: readonly ToolId[],
): (id: ToolId) => number {
  const { model } = graph;
  const around = others.map((id) => ({ id, edges: edgesAt(graph, id) }));
  const worths = new Map<string, number>();
  const worthOf = (id: string): number => {
    const known = worths.get(id);
    if (known !== undefined) return known;
    // A common neighbour has at least these two neighbours, so the logarithm is never 0.
    const worth = 1 / Math.log(Math.max(2, model.neighbors(id).length));
    worths.set(id, worth);
    return worth;
  };
  return (id) => {
    if (!model.hasNode(id)) return 0;
    const neighbours = model.neighbors(id).toSorted();
    return around.reduce((most, other) => {
      if (other.id === id) return most;
      // Adamic-Adar: the neighbours that both share, in any direction. Each is worth less the
      // more neighbours it has.
      let common = 0;
      for (const one of neighbours) if (other.edges.has(one)) common += worthOf(one);
      return Math.max(most, other.edges.get(id) ?? 0, common / (1 + common));
    }, 0);
  };
}

/** The strongest edge with each neighbour, whatever its direction. */
function edgesAt(graph: KnowledgeGraph, id: ToolId): ReadonlyMap<string, number> {
  const edges = new Map<string, number>();
  const note = (other: ToolId, weight: number) =>
    edges.set(other, Math.max(weight, edges.get(other) ?? 0));
  for (const { to, weight } of graph.out(id)) note(to, weight);
  for (const { from, weight } of graph.in(id)) note(from, weight);
  return edges;
}
