import type { ToolId } from '../../core/index.js';
import { byCodeUnits } from '../delta-counts.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';

/**
 * How many times as many candidates to look at: the more the denser the graph, for a young one has
 * nothing to add to what was found by meaning.
 */
export function expansionByMaturity(density: number): number {
  if (density < 0.01) return 1.5;
  return density <= 0.1 ? 2 : 3;
}

/** The opposite view: the sparser the graph, the wider the search must be to find anything. */
export function expansionBySparsity(density: number): number {
  return 1.5 + (1 - Math.min(1, Math.max(0, density))) * 1.5;
}

export interface ExpandOptions {
  /** How many are wanted in the end. */
  readonly limit: number;
  /** How many times as many to look at. */
  readonly factor: number;
}

/**
 * Candidates and what stands right before or after them, the strongest first, up to `limit` times
 * `factor` of them in all. What was given stays in front.
 */
export function expandCandidates(
  graph: KnowledgeGraph,
  candidates: readonly ToolId[],
  { limit, factor }: ExpandOptions,
): readonly ToolId[] {
  const given = new Set(candidates);
  const found = new Map<ToolId, number>();
  const note = (id: ToolId, weight: number) => {
    if (!given.has(id)) found.set(id, Math.max(weight, found.get(id) ?? 0));
  };
  for (const id of given) {
    for (const { to, weight } of graph.out(id)) note(to, weight);
    for (const { from, weight } of graph.in(id)) note(from, weight);
  }
  const strongest = [...found].toSorted(
    ([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || byCodeUnits(a, b),
  );
  return [...given, ...strongest.map(([id]) => id)].slice(0, Math.ceil(limit * factor));
}
