import type { Catalog } from '../catalog/index.js';
import { type Logger, parseToolId, type ToolId } from '../core/index.js';
import type { Discovery, Prospects } from '../discovery/index.js';
import type { GraphMetrics, KnowledgeGraph } from '../graph/index.js';
import { Suggester } from '../suggest/index.js';
import type { Planning } from './planning.js';

interface SuggesterParts {
  readonly graph: KnowledgeGraph;
  readonly metrics: GraphMetrics;
  readonly planning: Planning;
  readonly catalog: Catalog;
  readonly log: Logger;
  /** Over the tools there are now. */
  readonly discovery: () => Discovery;
}

/** Suggestions over exactly the tools and capabilities a client may see. */
export function createSuggester(parts: SuggesterParts): Suggester {
  const { graph, metrics, planning, catalog, log, discovery } = parts;
  const toolOf = (id: ToolId) => discovery().index.get(id);
  return new Suggester({
    graph,
    pairs: planning.memory,
    weigh: async (intent) => likelyOf(await discovery().weigh(intent)),
    weighAgain(id) {
      const prospects = discovery().weighAgain(id);
      return prospects && likelyOf(prospects);
    },
    traces: () => discovery().traces,
    metrics: () => metrics.current,
    now: () => Date.now(),
    toolOf,
    serverTools: (id) =>
      catalog.toolsOf(parseToolId(id).server).flatMap((tool) => toolOf(tool.id)?.id ?? []),
    plannable: (ids) => planning.tools(ids),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    log,
  });
}

function likelyOf({ tools, similar, trust }: Prospects) {
  return {
    likely: tools.map(({ tool, probability, place }) => {
      return { tool: tool.id, probability, ...(place !== undefined && { place }) };
    }),
    similar,
    trust,
  };
}
