import { parseToolId, type ToolId } from '../core/index.js';
import type { Prospects } from '../discovery/index.js';
import type { KnowledgeGraph } from '../graph/index.js';
import { Suggester } from '../suggest/index.js';
import type { Gateway } from './gateway.js';

/** Suggestions over exactly the tools and capabilities a client may see. */
export function createSuggester(gateway: Gateway, graph: KnowledgeGraph): Suggester {
  const toolOf = (id: ToolId) => gateway.index.get(id);
  return new Suggester({
    graph,
    pairs: gateway.planning.memory,
    weigh: async (intent) => likelyOf(await gateway.discovery.weigh(intent)),
    weighAgain(id) {
      const prospects = gateway.discovery.weighAgain(id);
      return prospects && likelyOf(prospects);
    },
    traces: () => gateway.discovery.traces,
    toolOf,
    serverTools: (id) =>
      gateway.catalog.toolsOf(parseToolId(id).server).flatMap((tool) => toolOf(tool.id)?.id ?? []),
    plannable: (ids) => gateway.planning.tools(ids),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    log: gateway.log,
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
