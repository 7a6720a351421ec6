import { computeMetrics, importanceOf, type KnowledgeGraph } from '../../graph/index.js';
import type { EdgeShare, GraphStats } from '../contract/graph.js';
import { compareIds } from './compare.js';
import { type GraphDaemon, ready } from './ready.js';

const SHOWN_CENTRAL = 10;

export async function graphStats(daemon: GraphDaemon): Promise<GraphStats> {
  const { store } = await ready(daemon);
  const { graph } = daemon.graph;
  const metrics = computeMetrics(graph);
  const { communities, density, ranks } = metrics;
  const ranked = [...ranks].toSorted(([a, one], [b, other]) => other - one || compareIds(a, b));
  return {
    nodes: countKinds(graph),
    edges: countEdges(graph),
    refused: graph.refused.length,
    communities: new Set(communities.values()).size,
    density,
    central: ranked.slice(0, SHOWN_CENTRAL).flatMap(([id]) => {
      const node = graph.node(id);
      if (!node) return [];
      const importance = importanceOf(metrics, id);
      const { calls, failures } = node;
      return [{ id, importance, calls, failures, community: communities.get(id) ?? 0 }];
    }),
    isStored: store !== undefined,
  };
}

function countKinds(graph: KnowledgeGraph): GraphStats['nodes'] {
  const counts = { tool: 0, operation: 0, capability: 0, meta: 0 };
  for (const { kind } of graph.nodes()) counts[kind] += 1;
  return counts;
}

function countEdges(graph: KnowledgeGraph): readonly EdgeShare[] {
  const shares = new Map<string, EdgeShare>();
  for (const { type, source } of graph.edges()) {
    const key = `${type} ${source}`;
    shares.set(key, { type, source, count: (shares.get(key)?.count ?? 0) + 1 });
  }
  return [...shares.values()].toSorted(
    (one, other) =>
      other.count - one.count ||
      compareIds(`${one.type} ${one.source}`, `${other.type} ${other.source}`),
  );
}
