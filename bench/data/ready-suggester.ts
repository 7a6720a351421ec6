import { type ToolId, silentLogger } from '../../src/core/index.js';
import { type Discovery, readTraces } from '../../src/discovery/index.js';
import { computeMetrics, graphOf, KnowledgeGraph } from '../../src/graph/index.js';
import { keepArgs } from '../../src/plan/index.js';
import { BindingMemory } from '../../src/planner/index.js';
import { type Likely, Suggester } from '../../src/suggest/index.js';
import type { Models } from '../../src/suggest/learn/models.js';
import { HEAD_PRIOR, likelyOf } from '../../src/workflows/suggest/create-suggester.js';
import { plannableTools } from './flow-answers.js';
import type { ToolSet } from './tool-set.js';

export interface ReadySuggesterOptions {
  readonly discovery: Discovery;
  readonly toolSet: ToolSet;
  /** Requests with what served them, and recorded runs. */
  readonly memory: readonly unknown[];
  /** Filled with what the memory tells; for those who want to look at it or go on with it. */
  readonly graph?: KnowledgeGraph;
  readonly pairs?: BindingMemory;
  /** Changes what is likely, in answers only: what is learned is as it always is. */
  readonly widen?: (likely: readonly Likely[]) => readonly Likely[];
  /** What weights are before any experience. Default: those it comes with. */
  readonly shipped?: Models;
  /** Whether heads of attention are learned. Default: they are. Next steps do not depend on them. */
  readonly hasHeads?: boolean;
}

/** Suggestions as the daemon makes them: executions taken in as traces, weights learned from them. */
export async function readySuggester(options: ReadySuggesterOptions): Promise<Suggester> {
  const { discovery, toolSet, memory, shipped, widen = (likely) => likely } = options;
  const { hasHeads = true } = options;
  const { graph = new KnowledgeGraph(), pairs = new BindingMemory() } = options;
  const { traces } = readTraces(memory, {
    resolve: (text) => toolSet.idOf.get(text),
    now: new Date(0),
    keepArgs: (args) => keepArgs(args, (text) => text),
  });
  const plannable = plannableTools(toolSet);
  const byServer = toolsByServer(toolSet);
  graph.apply(graphOf(traces));
  const metrics = computeMetrics(graph);
  const suggester = new Suggester({
    graph,
    pairs,
    weigh: async (intent) => {
      const prospects = likelyOf(await discovery.weigh(intent));
      return { ...prospects, likely: widen(prospects.likely) };
    },
    weighAgain(id, without) {
      const prospects = discovery.weighAgain(id, without);
      return prospects && likelyOf(prospects);
    },
    headPrior: () => (hasHeads ? HEAD_PRIOR : undefined),
    alike: (id, lends) => discovery.alike(id, lends),
    traces: () => discovery.traces,
    metrics: () => metrics,
    now: () => 0,
    toolOf: (id) => toolSet.tools.get(id),
    serverTools: (id) => byServer.get(toolSet.tools.get(id)?.server ?? '') ?? [],
    plannable: (ids) =>
      new Map(
        [...ids].flatMap((id) => {
          const tool = plannable.get(id);
          return tool ? [[id, tool] as const] : [];
        }),
      ),
    pause: () => Promise.resolve(),
    log: silentLogger,
    features: discovery.features,
    ...(shipped && { shipped }),
  });
  for (const trace of traces) pairs.add(trace);
  suggester.remember(traces);
  await suggester.learn();
  return suggester;
}

function toolsByServer({ tools }: ToolSet): ReadonlyMap<string, readonly ToolId[]> {
  const byServer = new Map<string, ToolId[]>();
  for (const { id, server } of tools.values()) {
    byServer.set(server, [...(byServer.get(server) ?? []), id]);
  }
  return byServer;
}
