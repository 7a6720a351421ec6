import { randomUUID } from 'node:crypto';

import { type Logger, parseToolId, type ToolId } from '../core/index.js';
import {
  type AheadTool,
  type CallPredictor,
  Foresight,
  type ForesightParts,
  type SentAhead,
  type SpeculationLedger,
  type Warming,
} from '../speculation/index.js';
import { isCallable, type ToolDirectory } from '../tools/index.js';

export interface ForesightOptions {
  readonly tools: ToolDirectory;
  readonly predictor: CallPredictor;
  readonly ledger: SpeculationLedger;
  readonly warming: Warming;
  readonly log: Logger;
  readonly mask: (text: string) => string;
}

/** What is done before clients ask, over the directory of tools. */
export function createForesight(options: ForesightOptions): Foresight {
  const { tools, predictor, ledger, log, mask } = options;
  return new Foresight({
    settings: settingsOf(tools),
    predictor,
    ledger,
    onForeseen(calls, caller) {
      const likely = calls.map(({ tool, toolConfidence }) => ({ tool, score: toolConfidence }));
      options.warming.warm(likely, 'predicted', caller);
    },
    toolOf: (tool) => aheadTool(tools, tool),
    isCallable: (tool) => isCallable(tools, tool),
    send: (call) => sendAhead(tools, call),
    mask,
    log,
    now: () => performance.now(),
    newId: () => randomUUID(),
    later(ms, work) {
      const timer = setTimeout(work, ms).unref();
      return () => clearTimeout(timer);
    },
  });
}

/** Made once for each configuration: every call asks for them several times. */
function settingsOf(tools: ToolDirectory): ForesightParts['settings'] {
  let from = tools.settings;
  const make = () => ({
    ...from.speculation,
    hasMetaTools: from.exposure.mode !== 'proxy',
  });
  let made = make();
  return () => {
    if (from !== tools.settings) {
      from = tools.settings;
      made = make();
    }
    return made;
  };
}

/** What decides about calling a tool ahead, as it is right now. */
function aheadTool(tools: ToolDirectory, tool: ToolId): AheadTool | undefined {
  const { server: name } = parseToolId(tool);
  const known = tools.catalog.tool(tool);
  if (!known || !tools.pool.has(name) || tools.view.tools.find(tool)?.tool.id !== tool) {
    return undefined;
  }
  const server = tools.pool.get(name);
  const { status, hash, definition } = known;
  return {
    status,
    hash,
    annotations: definition.annotations ?? {},
    admission: tools.admit(tool, {}),
    isolation: server.spec.isolation,
    isRunning: server.isListed,
    instance: server.greeting,
  };
}

async function sendAhead(
  tools: ToolDirectory,
  { tool, args, caller, signal, check }: SentAhead,
): ReturnType<ToolDirectory['calls']['ahead']> {
  const { server, tool: name } = parseToolId(tool);
  const request = { id: tool, server, params: { name, arguments: args } };
  return tools.calls.ahead(request, { caller, signal, onProgress: undefined }, check);
}
