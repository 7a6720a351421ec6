import type { EdgeCounts, EdgeType, GraphDelta, NodeCounts, ToolId } from '../../../core/index.js';

/** An entry of the key of an edge holds two ids and may not have more than 2,704 bytes. */
const MOST_ID_BYTES = 1_200;

/** `[id, calls, failures, repeats, runs, total_ms, last_at]`. */
export type NodeCells = [ToolId, number, number, number, number, number, number];
/** `[from_id, to_id, type, observed, failed, last_at]`. */
export type EdgeCells = [ToolId, ToolId, EdgeType, number, number, number];

/**
 * What can be stored of it, in the order in which every process writes, so that machines that write
 * at once take turns. Names too long for a key are left out: no server is known to have such tools.
 */
export function storableDelta({ nodes, edges }: GraphDelta): GraphDelta {
  return {
    nodes: nodes.filter(({ id }) => fits(id)).toSorted(compareNodes),
    edges: edges.filter(({ from, to }) => fits(from) && fits(to)).toSorted(compareEdges),
  };
}

function fits(id: ToolId): boolean {
  return id.length * 3 <= MOST_ID_BYTES || Buffer.byteLength(id) <= MOST_ID_BYTES;
}

function compareNodes(one: NodeCounts, other: NodeCounts): number {
  return compare(one.id, other.id);
}

function compareEdges(one: EdgeCounts, other: EdgeCounts): number {
  return (
    compare(one.from, other.from) || compare(one.to, other.to) || compare(one.type, other.type)
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

export function nodeColumns(nodes: readonly NodeCounts[]) {
  return {
    id: nodes.map(({ id }) => id),
    calls: nodes.map(({ calls }) => calls),
    failures: nodes.map(({ failures }) => failures),
    repeats: nodes.map(({ repeats }) => repeats),
    runs: nodes.map(({ runs }) => runs),
    totalMs: nodes.map(({ totalMs }) => totalMs),
    lastAt: nodes.map(({ lastAt }) => lastAt),
  };
}

export function edgeColumns(edges: readonly EdgeCounts[]) {
  return {
    from: edges.map(({ from }) => from),
    to: edges.map(({ to }) => to),
    type: edges.map(({ type }) => type),
    observed: edges.map(({ observed }) => observed),
    failed: edges.map(({ failed }) => failed),
    lastAt: edges.map(({ lastAt }) => lastAt),
  };
}

export function toNode(cells: NodeCells): NodeCounts {
  const [id, calls, failures, repeats, runs, totalMs, lastAt] = cells;
  return { id, calls, failures, repeats, runs, totalMs, lastAt };
}

export function toEdge([from, to, type, observed, failed, lastAt]: EdgeCells): EdgeCounts {
  return { from, to, type, observed, failed, lastAt };
}
