import type { EdgeType } from '../../core/index.js';
import type { EdgeSource, GraphEdge, GraphNode, NodeKind } from '../../graph/index.js';

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

/** The graph, or a part of it, for display. */
export interface GraphView {
  /** The most important first. */
  readonly nodes: readonly ViewNode[];
  /** Between those nodes; the heaviest first. */
  readonly edges: readonly ViewEdge[];
  /** How many there are, shown or not. */
  readonly total: { readonly nodes: number; readonly edges: number };
  /** Some were left out because of the limit. */
  readonly isCut: boolean;
}

export interface ViewNode {
  readonly id: string;
  readonly kind: NodeKind;
  /** Short, for display. */
  readonly label: string;
  /** Missing for capabilities and operations. */
  readonly server?: string;
  /** Nodes of the same number belong together; -1 for a tool that nothing called yet. */
  readonly community: number;
  /** Of the most central one; from 0 to 1. */
  readonly importance: number;
  readonly calls: number;
  readonly failures: number;
  /** How often it was called again right after itself. */
  readonly repeats: number;
  /** Of a capability: the tools and capabilities inside it. */
  readonly children?: readonly string[];
  /** Of a capability that is not active. */
  readonly isSetAside?: boolean;
}

export interface ViewEdge {
  readonly from: string;
  readonly to: string;
  readonly type: EdgeType;
  readonly source: EdgeSource;
  readonly weight: number;
  readonly observed: number;
}

/**
 * `collapsed`: capabilities, and only those tools that stand in none. `all`: every node, and the tools
 * that nothing called yet.
 */
export type GraphLevel = 'collapsed' | 'all';
