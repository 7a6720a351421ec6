import { MultiDirectedGraph } from 'graphology';

import {
  type EdgeCounts,
  type EdgeType,
  type GraphDelta,
  isCapability,
  type NodeCounts,
  type ToolId,
} from '../core/index.js';
import { type CapabilityShape, type ShapedCapability, shapesOf } from './capability-shape.js';
import { addEdgeCounts, addNodeCounts, byCodeUnits, edgeKey } from './delta-counts.js';
import {
  EDGE_WEIGHTS,
  type EdgeSource,
  edgeSource,
  type EdgeWeights,
  edgeWeight,
} from './edge-weight.js';
import { refuseCycles } from './refuse-cycles.js';
import { templateEdges } from './template-edges.js';

/** `meta`: a capability that calls capabilities. */
export type NodeKind = 'tool' | 'operation' | 'capability' | 'meta';

export interface GraphNode extends NodeCounts {
  readonly kind: NodeKind;
}

export interface GraphEdge extends EdgeCounts {
  readonly source: EdgeSource;
  /** In (0, 1]. */
  readonly weight: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface KeptNode extends Mutable<GraphNode> {
  /** Seen in executions, or part of a capability. */
  isTold: boolean;
}

interface KeptEdge extends Mutable<GraphEdge> {
  readonly key: string;
  /** Part of the code of a capability. */
  isTemplate: boolean;
}

export type GraphModel = MultiDirectedGraph<GraphNode, GraphEdge>;

/** Edges that say "first this, then that" or "this is made of that" about whole capabilities. */
const ACYCLIC: readonly EdgeType[] = ['dependency', 'contains'];

const NOTHING_TOLD = { calls: 0, failures: 0, repeats: 0, runs: 0, totalMs: 0, lastAt: 0 };

/**
 * What PML knows about tools, capabilities and how they belong together.
 *
 * The graph is a function of all updates and of the last capabilities it got: neither order nor
 * batches show. `dependency` and `contains` have no cycles and no node is its own neighbour;
 * edges that are left out for that are still counted and come back when they become stronger.
 *
 * Nodes and edges that it gives are its own: they change with it.
 */
export class KnowledgeGraph {
  readonly #model = new MultiDirectedGraph<KeptNode, KeptEdge>();
  readonly #weights: EdgeWeights;
  /** Between capabilities, by type: only these can close a cycle, for tools contain nothing. */
  readonly #amongCapabilities = new Map(ACYCLIC.map((type) => [type, new Map<string, KeptEdge>()]));
  readonly #unsettled = new Set<EdgeType>();
  #refused: readonly KeptEdge[] = [];
  #shapes: readonly CapabilityShape[] = [];
  #templates = new Map<string, KeptEdge>();
  #metas: ReadonlySet<ToolId> = new Set();
  readonly #changedAt = new Map<ToolId, number>();
  #version = 0;

  constructor(weights: EdgeWeights = EDGE_WEIGHTS) {
    this.#weights = weights;
  }

  /** Grows with every node and edge that changes. */
  get version(): number {
    return this.#version;
  }

  get size(): { readonly nodes: number; readonly edges: number } {
    return { nodes: this.#model.order, edges: this.#model.size };
  }

  /** For algorithms of Graphology. Read-only. */
  get model(): GraphModel {
    // Graphology types its mutable graph; the algorithms read a part of it that its types do not name.
    return this.#model as unknown as GraphModel;
  }

  /** Of the last capabilities it got. */
  get shapes(): readonly CapabilityShape[] {
    return this.#shapes;
  }

  /** Edges that would close a cycle with stronger ones, in order. */
  get refused(): readonly GraphEdge[] {
    return this.#refused;
  }

  /** Adds what executions say. */
  apply({ nodes, edges }: GraphDelta): void {
    for (const told of nodes) {
      const node = this.#ensure(told.id);
      node.isTold = true;
      addNodeCounts(node, told);
      this.#version += 1;
    }
    for (const told of edges) {
      if (told.from === told.to) continue;
      const edge = this.#ensureEdge(edgeKey(told.from, told.to, told.type), told);
      addEdgeCounts(edge, told);
      this.#weigh(edge);
    }
    this.#settle();
  }

  /** Replaces all that the code of capabilities says. */
  setCapabilities(capabilities: readonly ShapedCapability[]): void {
    const before = this.#templates;
    this.#shapes = shapesOf(capabilities);
    this.#templates = new Map();
    for (const edge of before.values()) edge.isTemplate = false;
    for (const { key, ...template } of templateEdges(this.#shapes)) {
      const edge = this.#ensureEdge(key, template);
      if (edge.observed + edge.failed === 0) this.#weigh(edge);
      edge.isTemplate = true;
      this.#templates.set(key, edge);
    }
    for (const { id } of this.#shapes) this.#ensure(id);
    for (const edge of before.values()) {
      if (!edge.isTemplate && edge.observed + edge.failed === 0) this.#forget(edge);
    }
    this.#settle();
    this.#forgetLoneNodes();
  }

  has(id: ToolId): boolean {
    return this.#model.hasNode(id);
  }

  node(id: ToolId): GraphNode | undefined {
    return this.#model.hasNode(id) ? this.#model.getNodeAttributes(id) : undefined;
  }

  edge(from: ToolId, to: ToolId, type: EdgeType): GraphEdge | undefined {
    const key = edgeKey(from, to, type);
    return this.#model.hasEdge(key) ? this.#model.getEdgeAttributes(key) : undefined;
  }

  nodes(): readonly GraphNode[] {
    return this.#model.mapNodes((_id, node) => node);
  }

  edges(): readonly GraphEdge[] {
    return this.#model.mapEdges((_key, edge) => edge);
  }

  /** Edges that begin at a node; of all types unless some are named. */
  out(id: ToolId, types?: readonly EdgeType[]): readonly GraphEdge[] {
    if (!this.#model.hasNode(id)) return [];
    const edges = this.#model.mapOutEdges(id, (_key, edge) => edge);
    return types ? edges.filter(({ type }) => types.includes(type)) : edges;
  }

  /** Edges that end at a node. */
  in(id: ToolId, types?: readonly EdgeType[]): readonly GraphEdge[] {
    if (!this.#model.hasNode(id)) return [];
    const edges = this.#model.mapInEdges(id, (_key, edge) => edge);
    return types ? edges.filter(({ type }) => types.includes(type)) : edges;
  }

  /** The version with which an edge at this node changed last. */
  changedAt(id: ToolId): number {
    return this.#changedAt.get(id) ?? 0;
  }

  #ensure(id: ToolId): KeptNode {
    if (this.#model.hasNode(id)) return this.#model.getNodeAttributes(id);
    const node = { id, kind: kindOf(id), ...NOTHING_TOLD, isTold: false };
    this.#model.addNode(id, node);
    this.#version += 1;
    return this.#model.getNodeAttributes(id);
  }

  /**
   * Finds or makes an edge, which the caller must then weigh. `#settle` joins an edge between
   * capabilities to the others.
   */
  #ensureEdge(key: string, { from, to, type }: Pick<EdgeCounts, 'from' | 'to' | 'type'>): KeptEdge {
    const loopable =
      isCapability(from) && isCapability(to) ? this.#amongCapabilities.get(type) : undefined;
    if (loopable) this.#unsettled.add(type);
    const known = loopable?.get(key);
    if (known) return known;
    if (!loopable && this.#model.hasEdge(key)) return this.#model.getEdgeAttributes(key);
    this.#ensure(from);
    this.#ensure(to);
    const counts = { observed: 0, failed: 0, lastAt: 0 };
    const edge: KeptEdge = {
      key,
      from,
      to,
      type,
      ...counts,
      isTemplate: false,
      source: 'template',
      weight: 0,
    };
    if (!loopable) {
      this.#model.addEdgeWithKey(key, from, to, edge);
      return this.#model.getEdgeAttributes(key);
    }
    loopable.set(key, edge);
    return edge;
  }

  #weigh(edge: KeptEdge): void {
    edge.source = edgeSource(edge, this.#weights);
    edge.weight = edgeWeight(edge, this.#weights);
    this.#touch(edge);
  }

  #touch({ from, to }: KeptEdge): void {
    this.#version += 1;
    this.#changedAt.set(from, this.#version);
    this.#changedAt.set(to, this.#version);
  }

  #forget(edge: KeptEdge): void {
    if (this.#model.hasEdge(edge.key)) this.#model.dropEdge(edge.key);
    if (this.#amongCapabilities.get(edge.type)?.delete(edge.key)) this.#unsettled.add(edge.type);
    this.#touch(edge);
  }

  #forgetLoneNodes(): void {
    const needed = new Set([
      ...this.#shapes.map(({ id }) => id),
      ...this.#refused.flatMap(({ from, to }) => [from, to]),
    ]);
    const lone = this.#model.filterNodes(
      (id, { isTold }) => !isTold && this.#model.degree(id) === 0 && !needed.has(id as ToolId),
    );
    for (const id of lone) {
      this.#model.dropNode(id);
      this.#changedAt.delete(id as ToolId);
      this.#version += 1;
    }
  }

  /** Decides again which of the edges between capabilities are left out. */
  #settle(): void {
    if (this.#unsettled.size === 0) return;
    for (const type of this.#unsettled) this.#join(type);
    this.#unsettled.clear();
    const left = [...this.#amongCapabilities.values()].flatMap((edges) =>
      [...edges.values()].filter(({ key }) => !this.#model.hasEdge(key)),
    );
    this.#refused = left.toSorted((a, b) => byCodeUnits(a.key, b.key));
    this.#findMetas();
  }

  #join(type: EdgeType): void {
    const edges = this.#amongCapabilities.get(type) ?? new Map<string, KeptEdge>();
    const refused = refuseCycles(edges.values());
    for (const edge of refused) {
      if (!this.#model.hasEdge(edge.key)) continue;
      this.#model.dropEdge(edge.key);
      this.#touch(edge);
    }
    for (const [key, edge] of edges) {
      if (refused.has(edge) || this.#model.hasEdge(key)) continue;
      this.#model.addEdgeWithKey(key, edge.from, edge.to, edge);
      // Graphology keeps a copy: from here on only the copy counts.
      const kept = this.#model.getEdgeAttributes(key);
      edges.set(key, kept);
      if (this.#templates.has(key)) this.#templates.set(key, kept);
      this.#touch(kept);
    }
  }

  #findMetas(): void {
    const contains = [...(this.#amongCapabilities.get('contains')?.values() ?? [])];
    const metas = new Set(
      contains.filter(({ key }) => this.#model.hasEdge(key)).map(({ from }) => from),
    );
    for (const id of new Set([...metas, ...this.#metas])) {
      if (!this.#model.hasNode(id) || metas.has(id) === this.#metas.has(id)) continue;
      this.#model.getNodeAttributes(id).kind = metas.has(id) ? 'meta' : 'capability';
      this.#version += 1;
    }
    this.#metas = metas;
  }
}

function kindOf(id: ToolId): NodeKind {
  if (isCapability(id)) return 'capability';
  return id.startsWith('code:') ? 'operation' : 'tool';
}
