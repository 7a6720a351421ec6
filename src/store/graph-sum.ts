import type { EdgeCounts, GraphDelta, NodeCounts } from '../core/index.js';

/** Adds up what executions told, as the tables do. */
export class GraphSum {
  readonly #nodes = new Map<string, NodeCounts>();
  readonly #edges = new Map<string, EdgeCounts>();

  add({ nodes, edges }: GraphDelta): void {
    for (const node of nodes) {
      const before = this.#nodes.get(node.id);
      this.#nodes.set(node.id, before ? addNodes(before, node) : node);
    }
    for (const edge of edges) {
      const key = edgeKey(edge);
      const before = this.#edges.get(key);
      this.#edges.set(key, before ? addEdges(before, edge) : edge);
    }
  }

  get total(): GraphDelta {
    return { nodes: [...this.#nodes.values()], edges: [...this.#edges.values()] };
  }
}

/** How many nodes and edges are in one only, or counted otherwise. */
export function countDiffering(one: GraphDelta, other: GraphDelta): number {
  return (
    differing(one.nodes, other.nodes, ({ id }) => id, sameNode) +
    differing(one.edges, other.edges, edgeKey, sameEdge)
  );
}

function differing<Row>(
  rows: readonly Row[],
  others: readonly Row[],
  keyOf: (row: Row) => string,
  isSame: (row: Row, other: Row) => boolean,
): number {
  const byKey = new Map(others.map((row) => [keyOf(row), row]));
  let count = 0;
  for (const row of rows) {
    const key = keyOf(row);
    const other = byKey.get(key);
    if (other === undefined || !isSame(row, other)) count += 1;
    byKey.delete(key);
  }
  return count + byKey.size;
}

/** What is stored holds no NUL. */
function edgeKey({ from, to, type }: EdgeCounts): string {
  return `${from}\0${to}\0${type}`;
}

function addNodes(one: NodeCounts, other: NodeCounts): NodeCounts {
  return {
    id: one.id,
    calls: one.calls + other.calls,
    failures: one.failures + other.failures,
    repeats: one.repeats + other.repeats,
    runs: one.runs + other.runs,
    totalMs: one.totalMs + other.totalMs,
    lastAt: Math.max(one.lastAt, other.lastAt),
  };
}

function addEdges(one: EdgeCounts, other: EdgeCounts): EdgeCounts {
  return {
    ...one,
    observed: one.observed + other.observed,
    failed: one.failed + other.failed,
    lastAt: Math.max(one.lastAt, other.lastAt),
  };
}

function sameNode(one: NodeCounts, other: NodeCounts): boolean {
  return (
    one.calls === other.calls &&
    one.failures === other.failures &&
    one.repeats === other.repeats &&
    one.runs === other.runs &&
    one.totalMs === other.totalMs &&
    one.lastAt === other.lastAt
  );
}

function sameEdge(one: EdgeCounts, other: EdgeCounts): boolean {
  return (
    one.observed === other.observed && one.failed === other.failed && one.lastAt === other.lastAt
  );
}
