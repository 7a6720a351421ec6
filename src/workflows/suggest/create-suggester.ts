import type { HeadPrior } from '../../attention/index.js';
import { isCapability, type Logger, parseToolId, pause, type ToolId } from '../../core/index.js';
import {
  type ClientPast,
  HEAD_WEIGHTS,
  isHeadFixed,
  type WeighedTools,
} from '../../discovery/index.js';
import type { GraphMetrics, KnowledgeGraph } from '../../graph/index.js';
import { Suggester, type SuggesterPorts } from '../../suggest/index.js';
import type { ToolDirectory } from '../../tools/index.js';
import { plannablesOf } from '../plan/plannable-capabilities.js';
import type { Planning } from '../plan/planning.js';

interface SuggesterParts {
  readonly graph: KnowledgeGraph;
  readonly metrics: GraphMetrics;
  readonly planning: Planning;
  readonly tools: SuggestedTools;
  /** The memory that suggestions come from. */
  readonly past: () => ClientPast;
  readonly log: Logger;
}

type SuggestedTools = Pick<
  ToolDirectory,
  'catalog' | 'capabilities' | 'discovery' | 'settings' | 'isWithin'
>;

/** Suggestions over exactly the tools and capabilities a client may see. */
export function createSuggester(parts: SuggesterParts): Suggester {
  return new Suggester(suggesterPorts(parts));
}

export function suggesterPorts(parts: SuggesterParts): SuggesterPorts {
  const { graph, metrics, planning, tools, past, log } = parts;
  const toolOf = (id: ToolId) => {
    const { index } = tools.discovery;
    const tool = index.get(id);
    if (tool && !tools.isWithin(id)) return undefined;
    if (!tool || !isCapability(id)) return tool;
    // What a client may not see it may not have called for it either.
    const called = tools.capabilities.toolsOf(parseToolId(id).tool);
    return called.every((one) => index.get(one)) ? tool : undefined;
  };
  return {
    graph,
    pairs: planning.memory,
    weigh: async (intent) => likelyOf(await past().weigh(intent)),
    weighAgain(id, without) {
      const prospects = past().weighAgain(id, without);
      return prospects && likelyOf(prospects);
    },
    headPrior: () => (tools.settings.learning.attention ? HEAD_PRIOR : undefined),
    alike: (id, lends) => tools.discovery.alike(id, lends),
    traces: () => past().traces,
    metrics: () => metrics.current,
    now: () => Date.now(),
    toolOf,
    *serverTools(id) {
      for (const tool of tools.catalog.toolsOf(parseToolId(id).server)) {
        if (toolOf(tool.id)) yield tool.id;
      }
    },
    plannable: (ids) => plannablesOf({ tools, planning }, ids),
    pause,
    log,
    features: past().features,
    space: () => tools.discovery.status.space,
  };
}

export const HEAD_PRIOR: HeadPrior = { weights: HEAD_WEIGHTS, isFixed: isHeadFixed };

/** What suggestions are made of, of all that discovery says. */
export function likelyOf({ tools, similar, trust, byMeaning }: WeighedTools) {
  return {
    likely: tools.map(({ tool, probability, place, signals }) => {
      return { tool: tool.id, probability, signals, ...(place !== undefined && { place }) };
    }),
    similar,
    trust,
    byMeaning,
  };
}
