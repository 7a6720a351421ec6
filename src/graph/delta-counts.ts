import type { EdgeCounts, EdgeType, GraphDelta, NodeCounts, ToolId } from '../core/index.js';

type Counted<T> = { -readonly [K in keyof T]: T[K] };

/** Names an edge. No id holds the mark between the parts, and no character comes before it. */
export function edgeKey(from: ToolId, to: ToolId, type: EdgeType): string {
  return `${from}\u0000${to}\u0000${type}`;
}

/** Adds up what executions tell. Whole numbers only, so that the order of adding never shows. */
export class DeltaCounts {
  readonly #nodes = new Map<string, Counted<NodeCounts>>();
  readonly #edges = new Map<string, Counted<EdgeCounts>>();

  addNode(node: NodeCounts): void {
    const sum = this.#nodes.get(node.id);
    if (sum) addNodeCounts(sum, node);
    else this.#nodes.set(node.id, { ...node });
  }

  addEdge(edge: EdgeCounts): void {
    const key = edgeKey(edge.from, edge.to, edge.type);
    const sum = this.#edges.get(key);
    if (sum) addEdgeCounts(sum, edge);
    else this.#edges.set(key, { ...edge });
  }

  delta(): GraphDelta {
    return { nodes: inOrder(this.#nodes), edges: inOrder(this.#edges) };
  }
}

export function addNodeCounts(sum: Counted<NodeCounts>, more: NodeCounts): void {
  sum.calls += more.calls;
  sum.failures += more.failures;
  sum.repeats += more.repeats;
  sum.runs += more.runs;
  sum.totalMs += more.totalMs;
  sum.lastAt = Math.max(sum.lastAt, more.lastAt);
}

export function addEdgeCounts(
  sum: Counted<Pick<EdgeCounts, 'observed' | 'failed' | 'lastAt'>>,
  more: EdgeCounts,
): void {
  sum.observed += more.observed;
  sum.failed += more.failed;
  sum.lastAt = Math.max(sum.lastAt, more.lastAt);
}

function inOrder<T>(counts: ReadonlyMap<string, T>): readonly T[] {
  return [...counts.keys()].toSorted(byCodeUnits).map((key) => counts.get(key) as T);
}

/** The same on every machine, whatever its language. */
export function byCodeUnits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
