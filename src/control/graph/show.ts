import {
  asText,
  type EdgeType,
  type GraphRebuilt,
  type JsonObject,
  type JsonValue,
  nearestNames,
  PmlError,
  type ToolId,
} from '../../core/index.js';
import {
  computeMetrics,
  connection,
  ContractedPaths,
  type EdgeSource,
  type GraphEdge,
  type GraphNode,
  importanceOf,
  type KnowledgeGraph,
  type NodeKind,
  type LiveGraph,
} from '../../graph/index.js';
import type { Store } from '../../store/index.js';
import { asJson } from '../as-json.js';

interface GraphDaemon {
  readonly graph: LiveGraph;
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
}

const SHOWN_CENTRAL = 10;

/** What the command line shows of the graph as a whole. */
export interface GraphStats {
  readonly nodes: Readonly<Record<NodeKind, number>>;
  /** Those there are, most frequent first. */
  readonly edges: readonly EdgeShare[];
  /** Edges that would close a cycle with stronger ones. */
  readonly refused: number;
  readonly communities: number;
  readonly density: number;
  /** The most central nodes. */
  readonly central: readonly CentralNode[];
  /** False: it is lost when the daemon ends. */
  readonly isStored: boolean;
}

export interface EdgeShare {
  readonly type: EdgeType;
  readonly source: EdgeSource;
  readonly count: number;
}

export interface CentralNode {
  readonly id: string;
  /** Of the most central one; from 0 to 1. */
  readonly importance: number;
  readonly calls: number;
  readonly failures: number;
  readonly community: number;
}

export type ShownEdge = GraphEdge;

export interface GraphNodeDetails {
  readonly node: GraphNode;
  /** The strongest first. */
  readonly out: readonly GraphEdge[];
  readonly in: readonly GraphEdge[];
}

export interface GraphPath {
  readonly from: string;
  readonly to: string;
  /** Tools and whole capabilities one after the other; missing when none leads there. */
  readonly steps?: readonly PathStep[];
  /** The same with every capability replaced by the calls it makes. */
  readonly calls?: readonly string[];
  readonly cost?: number;
  /** How the two are connected at all, if nothing leads from one to the other. */
  readonly connection?: readonly string[];
}

export interface PathStep {
  readonly id: string;
  /** From the step before. Missing where the way is through a capability. */
  readonly edges: readonly GraphEdge[];
}

export async function graphStats(daemon: GraphDaemon): Promise<JsonObject> {
  const { store } = await ready(daemon);
  const { graph } = daemon.graph;
  const metrics = computeMetrics(graph);
  const { communities, density, ranks } = metrics;
  const ranked = [...ranks].toSorted(([a, one], [b, other]) => other - one || compare(a, b));
  const stats: GraphStats = {
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
  return asJson(stats);
}

/** How many executions it was made anew from so far, while it is. */
export async function graphProgress({ graph }: GraphDaemon): Promise<JsonObject> {
  return graph.rebuilding === undefined ? {} : { rebuilding: graph.rebuilding };
}

export async function showNode(daemon: GraphDaemon, params: JsonObject): Promise<JsonObject> {
  await ready(daemon);
  const { graph } = daemon.graph;
  const node = find(graph, params['id']);
  const details: GraphNodeDetails = {
    node: plainNode(node),
    out: graph.out(node.id).map(plainEdge).toSorted(byWeight),
    in: graph.in(node.id).map(plainEdge).toSorted(byWeight),
  };
  return asJson(details);
}

export async function findPath(daemon: GraphDaemon, params: JsonObject): Promise<JsonObject> {
  await ready(daemon);
  const { graph } = daemon.graph;
  const from = find(graph, params['from']).id;
  const to = find(graph, params['to']).id;
  const found = new ContractedPaths(graph).find(from, to);
  const joined = found ? undefined : connection(graph, from, to);
  const path: GraphPath = {
    from,
    to,
    ...(found && { steps: stepsOf(graph, found.steps), calls: found.calls, cost: found.cost }),
    ...(joined && { connection: joined }),
  };
  return asJson(path);
}

/** Makes it anew from all stored executions; answers when that is done. */
export async function rebuildGraph(
  daemon: GraphDaemon,
  params: JsonObject = {},
): Promise<JsonObject> {
  const { store, error } = await ready(daemon);
  if (!store) throw new PmlError('STORE_FAILED', error ?? 'the store is not open');
  const rebuilt: GraphRebuilt = await daemon.graph.rebuild(store.graph, {
    isForced: params['force'] === true,
  });
  return asJson(rebuilt);
}

/** What is stored is known only once it is taken up. */
async function ready(daemon: GraphDaemon): ReturnType<GraphDaemon['store']> {
  const opened = await daemon.store();
  await daemon.graph.settled();
  return opened;
}

function plainNode(node: GraphNode): GraphNode {
  const { id, kind, calls, failures, repeats, runs, totalMs, lastAt } = node;
  return { id, kind, calls, failures, repeats, runs, totalMs, lastAt };
}

function plainEdge(edge: GraphEdge): GraphEdge {
  const { from, to, type, source, weight, observed, failed, lastAt } = edge;
  return { from, to, type, source, weight, observed, failed, lastAt };
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
      compare(`${one.type} ${one.source}`, `${other.type} ${other.source}`),
  );
}

function stepsOf(graph: KnowledgeGraph, ids: readonly ToolId[]): readonly PathStep[] {
  return ids.map((id, place) => {
    const before = ids[place - 1];
    const edges = before === undefined ? [] : graph.out(before).filter(({ to }) => to === id);
    return { id, edges: edges.map(plainEdge).toSorted(byWeight) };
  });
}

function byWeight(one: GraphEdge, other: GraphEdge): number {
  return (
    other.weight - one.weight ||
    compare(one.from, other.from) ||
    compare(one.to, other.to) ||
    compare(one.type, other.type)
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function find(graph: KnowledgeGraph, wanted: JsonValue | undefined): GraphNode {
  const id = asText(wanted) as ToolId;
  const node = graph.node(id);
  if (node) return node;
  const known = graph.nodes().map((one) => one.id);
  const near = nearestNames(id, known, 3);
  const hint = near.length > 0 ? ` The nearest: ${near.join(', ')}` : '';
  throw new PmlError(
    'TOOL_UNKNOWN',
    `The graph has no ${JSON.stringify(id)}: nothing was seen to call it, and no capability does.${hint}`,
  );
}
