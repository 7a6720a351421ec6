import { seededRandom, type ToolId } from '../../core/index.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';
import { louvain, pagerank } from './graphology-algorithms.js';

/** What is known of a graph as a whole. */
export interface Metrics {
  /** Of the graph it was computed from. */
  readonly version: number;
  /** PageRank of each node; all together make 1. */
  readonly ranks: ReadonlyMap<ToolId, number>;
  readonly highestRank: number;
  /** Nodes of the same number belong closer together than to others. */
  readonly communities: ReadonlyMap<ToolId, number>;
  /** Nodes each one has an edge with, in any direction. */
  readonly degrees: ReadonlyMap<ToolId, number>;
  /** Of all pairs of nodes, in either direction, the share that has an edge. */
  readonly density: number;
}

export const NO_METRICS: Metrics = {
  version: 0,
  ranks: new Map(),
  highestRank: 0,
  communities: new Map(),
  degrees: new Map(),
  density: 0,
};

/** Ranks are right to so much, all together. */
const RANK_ERROR = 1e-4;
const SEED = 1;

/** Importance of a node among all, in [0, 1]; the most central one has 1. */
export function importanceOf({ ranks, highestRank }: Metrics, id: ToolId): number {
  return highestRank > 0 ? (ranks.get(id) ?? 0) / highestRank : 0;
}

export function areInOneCommunity({ communities }: Metrics, a: ToolId, b: ToolId): boolean {
  const community = communities.get(a);
  return community !== undefined && community === communities.get(b);
}

export function computeMetrics(graph: KnowledgeGraph): Metrics {
  const stages = metricsInStages(graph);
  for (;;) {
    const { done, value } = stages.next();
    if (done) return value;
  }
}

/** The same in stages, between which others may have their turn. */
export function* metricsInStages(graph: KnowledgeGraph): Generator<undefined, Metrics> {
  const { version, model } = graph;
  if (model.order === 0) return { ...NO_METRICS, version };
  const tolerance = RANK_ERROR / model.order;
  const ranks = byNode(pagerank(model, { getEdgeWeight: 'weight', tolerance }));
  yield;
  const communities =
    model.size > 0
      ? byNode(louvain(model, { getEdgeWeight: 'weight', rng: seededRandom(SEED) }))
      : new Map(model.mapNodes((id, _node) => id as ToolId).map((id, place) => [id, place]));
  yield;
  const degrees = new Map<ToolId, number>();
  let pairs = 0;
  model.forEachNode((id) => {
    degrees.set(id as ToolId, model.neighbors(id).length);
    pairs += model.outNeighbors(id).length;
  });
  const highestRank = [...ranks.values()].reduce((a, b) => Math.max(a, b), 0);
  const density = pairs / Math.max(1, model.order * (model.order - 1));
  return { version, ranks, highestRank, communities, degrees, density };
}

function byNode(values: Readonly<Record<string, number>>): ReadonlyMap<ToolId, number> {
  return new Map(Object.entries(values) as [ToolId, number][]);
}
