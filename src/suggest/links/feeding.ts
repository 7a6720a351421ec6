import type { ToolId } from '../../core/index.js';
import type { GraphEdge, KnowledgeGraph } from '../../graph/index.js';

export interface Feeding {
  /** How often it took values of one that is done. */
  readonly fed: number;
  /** Of all it takes values of, the share that is done. */
  readonly ready: number;
}

const FEEDS = ['provides', 'dependency'] as const;

/** How far what tools take values of is done. */
export function feedingBy(
  graph: KnowledgeGraph,
  done: ReadonlySet<ToolId>,
): (tool: ToolId) => Feeding {
  const there = new Map<ToolId, { all: number; most: number }>();
  for (const one of done) {
    for (const edge of graph.out(one, FEEDS)) {
      const { all = 0, most = 0 } = there.get(edge.to) ?? {};
      const times = timesOf(edge);
      there.set(edge.to, { all: all + times, most: Math.max(most, times) });
    }
  }
  return (tool) => {
    const given = there.get(tool);
    // What is made of code alone was never seen to happen.
    if (!given || given.all === 0) return { fed: 0, ready: 0 };
    const runs = graph.node(tool)?.runs ?? 0;
    return { fed: given.most / (runs + 1), ready: given.all / takenBy(graph, tool) };
  };
}

const timesOf = ({ observed, failed }: GraphEdge): number => observed + failed;

function takenBy(graph: KnowledgeGraph, tool: ToolId): number {
  return graph.in(tool, FEEDS).reduce((sum, edge) => sum + timesOf(edge), 0);
}
