import type { EdgeCounts, GraphDelta, NodeCounts } from '../../../core/index.js';

/** Adds up the counts of executions, like the tables do. */
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

/** The rebuilt graph, but with no count lower than before. Returns how many rows it had to keep. */
export function withoutLoss(
  before: GraphDelta,
  made: GraphDelta,
): { readonly graph: GraphDelta; readonly kept: number } {
  const nodes = larger(before.nodes, made.nodes, ({ id }) => id, largerNode);
  const edges = larger(before.edges, made.edges, edgeKey, largerEdge);
  return {
    graph: { nodes: nodes.rows, edges: edges.rows },
    kept: nodes.kept + edges.kept,
  };
}

function larger<Row>(
  before: readonly Row[],
  made: readonly Row[],
  keyOf: (row: Row) => string,
  join: (before: Row, made: Row) => Row,
): { readonly rows: readonly Row[]; readonly kept: number } {
  const rows = new Map(made.map((row) => [keyOf(row), row]));
  let kept = 0;
  for (const row of before) {
    const key = keyOf(row);
    const again = rows.get(key);
    const joined = again === undefined ? row : join(row, again);
    if (joined === again) continue;
    rows.set(key, joined);
    kept += 1;
  }
  return { rows: [...rows.values()], kept };
}

/** Returns `made` itself if `before` has no higher count. */
function largerNode(before: NodeCounts, made: NodeCounts): NodeCounts {
  const joined = {
    id: made.id,
    calls: Math.max(before.calls, made.calls),
    failures: Math.max(before.failures, made.failures),
    repeats: Math.max(before.repeats, made.repeats),
    runs: Math.max(before.runs, made.runs),
    totalMs: Math.max(before.totalMs, made.totalMs),
    lastAt: Math.max(before.lastAt, made.lastAt),
  };
  // The last digits of times depend on the order of addition.
  return sameNode(joined, { ...made, totalMs: joined.totalMs }) ? made : joined;
}

function largerEdge(before: EdgeCounts, made: EdgeCounts): EdgeCounts {
  const joined = {
    ...made,
    observed: Math.max(before.observed, made.observed),
    failed: Math.max(before.failed, made.failed),
    lastAt: Math.max(before.lastAt, made.lastAt),
  };
  return sameEdge(joined, made) ? made : joined;
}

/** How many nodes and edges are in only one of the graphs or have different counts. */
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

/** Stored text holds no NUL. */
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
