import type { EdgeCounts, ExecutionTrace, GraphDelta, NodeCounts } from '../../src/core/index.js';

/** A small graph of executions: which tool was called, after which, with whose results. */
export function countTools(traces: readonly ExecutionTrace[]): GraphDelta {
  const nodes = new Map<string, NodeCounts>();
  const edges = new Map<string, EdgeCounts>();
  for (const { at, calls, bindings } of traces) {
    const lastAt = at.getTime();
    const tools = new Set(calls.map(({ tool }) => tool));
    for (const id of tools) {
      const own = calls.filter(({ tool }) => tool === id);
      const before = nodes.get(id);
      nodes.set(id, {
        id,
        calls: own.length + (before?.calls ?? 0),
        failures: own.filter(({ ok }) => !ok).length + (before?.failures ?? 0),
        repeats: 0,
        runs: 1 + (before?.runs ?? 0),
        totalMs: own.reduce((sum, { ms = 0 }) => sum + ms, before?.totalMs ?? 0),
        lastAt: Math.max(lastAt, before?.lastAt ?? 0),
      });
    }
    const pairs = [
      ...calls.slice(1).map((_, place) => [place, place + 1, 'sequence'] as const),
      ...bindings.map(({ from, to }) => [from, to, 'provides'] as const),
    ];
    const seen = new Set<string>();
    for (const [source, target, type] of pairs) {
      const [one, other] = [calls[source]!, calls[target]!];
      const key = JSON.stringify([one.tool, other.tool, type]);
      if (one.tool === other.tool || seen.has(key)) continue;
      seen.add(key);
      const before = edges.get(key);
      edges.set(key, {
        from: one.tool,
        to: other.tool,
        type,
        observed: Number(other.ok) + (before?.observed ?? 0),
        failed: Number(!other.ok) + (before?.failed ?? 0),
        lastAt: Math.max(lastAt, before?.lastAt ?? 0),
      });
    }
  }
  // The graph adds them up, so neither order matters.
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}
