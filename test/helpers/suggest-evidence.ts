import { Hypergraph } from '../../src/attention/index.js';
import type { CatalogTool, ExecutionTrace, ToolId } from '../../src/core/index.js';
import { computeMetrics, graphOf, KnowledgeGraph } from '../../src/graph/index.js';
import { BindingMemory, type PlannableTool } from '../../src/planner/index.js';
import { type Evidence, evidenceOf } from '../../src/suggest/evidence.js';
import { pastPlan } from '../../src/suggest/past/past-plan.js';
import { planEdge } from '../../src/suggest/past/plan-edge.js';
import { PlanMemory } from '../../src/suggest/past/plan-memory.js';
import { catalogTool } from './catalog-tool.js';
import { id } from './graph-samples.js';

export interface EvidenceParts {
  readonly intent?: string;
  readonly traces?: readonly ExecutionTrace[];
  /** How likely each is wanted, best first. */
  readonly likely?: Readonly<Record<string, number>>;
  /** Shares of past executions by their ids, most alike first. */
  readonly similar?: Readonly<Record<string, number>>;
  readonly trust?: number;
  /** Tools that are no longer there; all others are. */
  readonly gone?: readonly string[];
  readonly now?: number;
}

/** What speaks for an answer when nothing else ever happened. */
export function evidenceWith({
  intent = '',
  traces = [],
  likely = {},
  similar = {},
  trust = 0,
  gone = [],
  now = 0,
}: EvidenceParts): Evidence {
  const graph = new KnowledgeGraph();
  graph.apply(graphOf(traces));
  const pairs = new BindingMemory();
  const plans = new PlanMemory();
  const runs = new Hypergraph();
  for (const trace of traces) {
    pairs.add(trace);
    plans.add(trace);
    const edge = planEdge(pastPlan(trace));
    if (edge) runs.add(edge);
  }
  const prospects = {
    likely: Object.entries(likely).map(([tool, probability]) => ({ tool: id(tool), probability })),
    similar: Object.entries(similar).map(([trace, share]) => ({ id: trace, share })),
    trust,
  };
  const knowledge = { graph, metrics: computeMetrics(graph), pairs, plans, runs };
  return evidenceOf(intent, prospects, knowledge, { toolOf: toolsBut(gone), now: () => now });
}

/** Finds any tool, the same every time, but those that are gone. */
export function toolsBut(gone: readonly string[] = []): (tool: ToolId) => CatalogTool | undefined {
  const known = new Map<ToolId, CatalogTool>();
  return (tool) => {
    if (gone.includes(tool)) return undefined;
    const found = known.get(tool) ?? catalogTool(tool);
    known.set(tool, found);
    return found;
  };
}

/** Nothing is known of what tools take and give. */
export const noPlannables = (): ReadonlyMap<ToolId, PlannableTool> => new Map();

/** Signals by their names. */
export function byName<Name extends string>(
  names: readonly Name[],
  signals: Float64Array,
): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, at) => [name, signals[at]])) as Record<Name, number>;
}
