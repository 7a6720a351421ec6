import { isCapability, type ToolId } from '../../core/index.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';
import { expectedShare } from './adaptive-alpha.js';

/** The assumed success rate of a tool without calls. */
const USUAL_SUCCESS = 0.9;

/** The expected success rate of one node. */
export function reliabilityOf(graph: KnowledgeGraph, id: ToolId): number {
  const { calls = 0, failures = 0 } = graph.node(id) ?? {};
  return expectedShare(calls - failures, calls, USUAL_SUCCESS);
}

/**
 * The reliability of a capability: that of the weakest among itself, its contents, and the
 * capabilities whose results it was seen to use.
 */
export function transitiveReliability(graph: KnowledgeGraph, id: ToolId): number {
  const all = new Set([id]);
  // Grows during the loop.
  for (const one of all) {
    for (const { to } of graph.out(one, ['contains'])) all.add(to);
    // The givers of a tool vary by caller: they say nothing about the capability around it.
    const givers = isCapability(one) ? graph.in(one, ['dependency']) : [];
    for (const { from, source } of givers) if (source !== 'template') all.add(from);
  }
  return Math.min(...Array.from(all, (one) => reliabilityOf(graph, one)));
}

/** Of the executions that called one, the share in which another came right after or took its result. */
export function cooccurrenceOf(graph: KnowledgeGraph, from: ToolId, to: ToolId): number {
  const runs = graph.node(from)?.runs ?? 0;
  if (runs === 0) return 0;
  const together = (['sequence', 'provides', 'dependency'] as const).map((type) => {
    return graph.edge(from, to, type)?.observed ?? 0;
  });
  return Math.min(1, Math.max(...together) / runs);
}

/** A use this long ago counts half. */
const RECENT_MS = 24 * 3_600_000;

/** 1 for now, halved after each half-life. */
export function recencyOf(lastAt: number, now: number, halfLifeMs = RECENT_MS): number {
  return lastAt > 0 ? 2 ** (-Math.max(0, now - lastAt) / halfLifeMs) : 0;
}

/** The share of tools that are among others; 0 of none. */
export function overlapOf(tools: readonly ToolId[], others: ReadonlySet<ToolId>): number {
  const all = new Set(tools);
  if (all.size === 0) return 0;
  return [...all].filter((tool) => others.has(tool)).length / all.size;
}

/** The share of tools that are in a cluster some others are in. */
export function shareInCluster(
  clusters: ReadonlyMap<ToolId, number>,
  tools: readonly ToolId[],
  others: Iterable<ToolId>,
): number {
  const active = new Set(Array.from(others, (id) => clusters.get(id)));
  active.delete(undefined);
  const all = new Set(tools);
  if (all.size === 0) return 0;
  return [...all].filter((tool) => active.has(clusters.get(tool))).length / all.size;
}
