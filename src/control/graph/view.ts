import type { Capabilities } from '../../capabilities/index.js';
import type { Catalog } from '../../catalog/index.js';
import {
  type Capability,
  capabilityId,
  isCapability,
  parseToolId,
  type ToolId,
} from '../../core/index.js';
import {
  computeMetrics,
  type GraphEdge,
  type GraphNode,
  importanceOf,
  type KnowledgeGraph,
  type Metrics,
} from '../../graph/index.js';
import type { ControlParams } from '../contract.js';
import type { GraphView, ViewEdge, ViewNode } from '../contract/graph.js';
import { compareIds } from './compare.js';
import { type GraphDaemon, ready } from './ready.js';
import { find } from './show.js';

const SHOWN_NODES = 200;
const DEFAULT_DEPTH = 1;
/** Edges for each node that is shown; the lightest are left out. */
const EDGES_PER_NODE = 6;

interface ViewedDaemon extends GraphDaemon {
  readonly catalog: Pick<Catalog, 'tools'>;
  readonly workflows: {
    readonly tools: { readonly capabilities: Pick<Capabilities, 'list'> };
  };
}

/** Computing them takes a while for a big graph; a page asks again and again while it is the same. */
const METRICS = new WeakMap<KnowledgeGraph, Metrics>();

/** Nothing was seen of it yet. */
const NO_COMMUNITY = -1;

/** The most important part of the graph, or what is near one node, in one answer of bounded size. */
export async function viewGraph(
  daemon: ViewedDaemon,
  { limit = SHOWN_NODES, focus, depth = DEFAULT_DEPTH, level }: ControlParams<'graph-view'>,
): Promise<GraphView> {
  await ready(daemon);
  const { graph } = daemon.graph;
  const metrics = metricsOf(graph);
  const capabilities = new Map<ToolId, Capability>(
    daemon.workflows.tools.capabilities.list().map((one) => [capabilityId(one.name), one]),
  );
  const isDetailed = level === 'all' || focus !== undefined;
  const near = focus === undefined ? undefined : neighbours(graph, find(graph, focus).id, depth);
  const candidates = graph
    .nodes()
    .filter(({ id }) => !near || near.has(id))
    .filter((node) => isDetailed || !isInside(graph, node));
  const ranked = candidates.toSorted(
    (one, other) =>
      (near?.get(one.id) ?? 0) - (near?.get(other.id) ?? 0) ||
      importanceOf(metrics, other.id) - importanceOf(metrics, one.id) ||
      compareIds(one.id, other.id),
  );
  const unused = level === 'all' && !near ? unusedTools(daemon) : [];
  const shown = ranked.slice(0, limit);
  const ids = new Set(shown.map(({ id }) => id));
  const edges = edgesBetween(graph, ids);
  const kept = edges.slice(0, EDGES_PER_NODE * limit);
  return {
    nodes: [
      ...shown.map((node) => viewNode(node, { graph, metrics, capabilities })),
      ...unused.slice(0, limit - shown.length),
    ],
    edges: kept,
    total: { nodes: graph.size.nodes + unused.length, edges: graph.size.edges },
    isCut: candidates.length + unused.length > limit || kept.length < edges.length,
  };
}

function metricsOf(graph: KnowledgeGraph): Metrics {
  const known = METRICS.get(graph);
  if (known?.version === graph.version) return known;
  const metrics = computeMetrics(graph);
  METRICS.set(graph, metrics);
  return metrics;
}

/** Tools that can be called and that nothing called yet. */
function unusedTools({ catalog, graph: { graph } }: ViewedDaemon): readonly ViewNode[] {
  return catalog
    .tools()
    .filter(({ id, status }) => status === 'active' && !graph.node(id))
    .toSorted((one, other) => compareIds(one.id, other.id))
    .map(({ id, server, definition }) => ({
      id,
      kind: 'tool',
      label: definition.name,
      server,
      community: NO_COMMUNITY,
      importance: 0,
      calls: 0,
      failures: 0,
      repeats: 0,
    }));
}

/** How many steps each node is away, as far as it counts. */
function neighbours(graph: KnowledgeGraph, start: ToolId, depth: number): Map<ToolId, number> {
  const near = new Map([[start, 0]]);
  let edge: readonly ToolId[] = [start];
  for (let step = 1; step <= depth; step++) {
    const next = edge.flatMap((id) => [
      ...graph.out(id).map(({ to }) => to),
      ...graph.in(id).map(({ from }) => from),
    ]);
    edge = [...new Set(next)].filter((id) => !near.has(id));
    for (const id of edge) near.set(id, step);
  }
  return near;
}

/** A collapsed graph shows whole capabilities, and only those tools that stand in none of them. */
function isInside(graph: KnowledgeGraph, { id, kind }: GraphNode): boolean {
  if (kind === 'operation') return true;
  return graph.in(id).some(({ type, from }) => type === 'contains' && isCapability(from));
}

function edgesBetween(graph: KnowledgeGraph, ids: ReadonlySet<ToolId>): readonly ViewEdge[] {
  return [...ids]
    .flatMap((id) => graph.out(id))
    .filter(({ to }) => ids.has(to))
    .toSorted((one, other) => other.weight - one.weight || compareEdges(one, other))
    .map(({ from, to, type, source, weight, observed }) => {
      return { from, to, type, source, weight, observed };
    });
}

function compareEdges(one: GraphEdge, other: GraphEdge): number {
  return compareIds(`${one.from} ${one.to} ${one.type}`, `${other.from} ${other.to} ${other.type}`);
}

interface NodeParts {
  readonly graph: KnowledgeGraph;
  readonly metrics: Metrics;
  readonly capabilities: ReadonlyMap<ToolId, Capability>;
}

function viewNode(
  { id, kind, calls, failures, repeats }: GraphNode,
  { graph, metrics, capabilities }: NodeParts,
): ViewNode {
  const { server, tool } = parseToolId(id);
  const state = capabilities.get(id)?.state.status ?? 'active';
  const children = graph.out(id).filter(({ type }) => type === 'contains');
  return {
    id,
    kind,
    label: tool,
    ...(kind === 'tool' && { server }),
    community: metrics.communities.get(id) ?? 0,
    importance: importanceOf(metrics, id),
    calls,
    failures,
    repeats,
    ...(children.length > 0 && { children: children.map(({ to }) => to) }),
    ...(state !== 'active' && { isSetAside: true }),
  };
}
