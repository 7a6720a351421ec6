import { byCodeUnits } from './delta-counts.js';
import { GrowingOrder } from './growing-order.js';

export interface CountedEdge {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  readonly observed: number;
}

/**
 * The edges to leave out so that no cycle remains: the most observed are kept first, of equal ones the
 * first by key. What is left out depends on the edges alone, not on the order they are given in.
 */
export function refuseCycles<E extends CountedEdge>(edges: Iterable<E>): ReadonlySet<E> {
  const strongestFirst = onCycles([...edges]).toSorted(
    (a, b) => b.observed - a.observed || byCodeUnits(a.key, b.key),
  );
  const order = new GrowingOrder();
  return new Set(strongestFirst.filter(({ from, to }) => !order.add(from, to)));
}

/** Edges that may be part of a cycle: those from or to a node with no way in or out are not. */
function onCycles<E extends CountedEdge>(edges: readonly E[]): readonly E[] {
  const forward = withoutSources(
    edges,
    ({ from }) => from,
    ({ to }) => to,
  );
  return withoutSources(
    forward,
    ({ to }) => to,
    ({ from }) => from,
  );
}

function withoutSources<E>(
  edges: readonly E[],
  tail: (edge: E) => string,
  head: (edge: E) => string,
): readonly E[] {
  const entries = new Map<string, number>();
  const leaving = new Map<string, E[]>();
  for (const edge of edges) {
    entries.set(head(edge), (entries.get(head(edge)) ?? 0) + 1);
    const siblings = leaving.get(tail(edge));
    if (siblings) siblings.push(edge);
    else leaving.set(tail(edge), [edge]);
  }
  const gone = new Set([...leaving.keys()].filter((node) => !entries.has(node)));
  // Grows while it is read.
  for (const node of gone) {
    for (const edge of leaving.get(node) ?? []) {
      const left = (entries.get(head(edge)) ?? 0) - 1;
      entries.set(head(edge), left);
      if (left === 0) gone.add(head(edge));
    }
  }
  return edges.filter((edge) => !gone.has(tail(edge)));
}
