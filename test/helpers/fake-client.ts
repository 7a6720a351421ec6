import { type JsonObject, type Progress, THE_USER } from '../../src/core/index.js';
import { NO_TRAIL } from '../../src/discovery/index.js';
import type { Caller } from '../../src/servers/index.js';
import { createContextBudget } from '../../src/tool-text/index.js';
import type { RequestContext } from '../../src/tools/request-context.js';

export interface FakeClient {
  readonly context: RequestContext;
  readonly stop: AbortController;
  readonly told: JsonObject[];
  readonly progress: Progress[];
  readonly asked: JsonObject[];
}

/** A request of a client; `ask` makes it one that can ask its user. */
export function fakeClient(
  session: string,
  {
    ask,
    era = 'legacy',
    trail = { current: NO_TRAIL },
    principal = THE_USER,
  }: {
    ask?: (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
    era?: Caller['era'];
    trail?: RequestContext['trail'];
    principal?: Caller['principal'];
  } = {},
): FakeClient {
  const stop = new AbortController();
  const told: JsonObject[] = [];
  const progress: Progress[] = [];
  const asked: JsonObject[] = [];
  const caller: Caller = {
    session,
    principal,
    user: session,
    era,
    info: { name: session },
    capabilities: ask ? { elicitation: {} } : {},
    ask: async (_method, params = {}, signal) => {
      asked.push(params);
      if (!ask) throw new Error('this client cannot ask');
      return ask(params, signal);
    },
    tell: (_method, params = {}) => void told.push(params),
  };
  const context: RequestContext = {
    caller,
    signal: stop.signal,
    onProgress: (one) => void progress.push(one),
    budget: { current: createContextBudget({ windowTokens: 200_000, share: 0.05 }) },
    trail,
  };
  return { context, stop, told, progress, asked };
}
