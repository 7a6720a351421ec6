import { Capabilities } from '../../src/capabilities/index.js';
import { Catalog } from '../../src/catalog/index.js';
import {
  type JsonObject,
  type Logger,
  type Progress,
  runId,
  serverName,
  THE_USER,
} from '../../src/core/index.js';
import { NO_TRAIL } from '../../src/discovery/index.js';
import { Gateway } from '../../src/gateway/gateway.js';
import { KnowledgeGraph } from '../../src/graph/index.js';
import { errorType } from '../../src/policy/index.js';
import { Runs, type RunsOptions } from '../../src/runs/index.js';
import { type Caller, ServerPool } from '../../src/servers/index.js';
import { createContextBudget } from '../../src/tool-text/index.js';
import type { RequestContext } from '../../src/tools/request-context.js';
import type { GatewaySettings } from '../../src/tools/settings.js';
import { runSettings } from '../../src/workflows/run/run-settings.js';
import { rememberRecovered, rememberRun } from '../../src/workflows/run/run-tools.js';
import { FakeSandbox } from './fake-sandbox.js';
import { type Answer, FakeTools } from './fake-tools.js';
import { gatewaySettings, serverSpec } from './gateway-settings.js';
import { MemoryRunLog } from './memory-run-log.js';
import { createDiscovery } from './ready-discovery.js';

export interface RunGatewayOptions {
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly log?: MemoryRunLog;
  readonly changes?: Partial<GatewaySettings>;
  /** Beside `read_*`, `write_*` and `delete_*` without parameters. */
  readonly tools?: readonly JsonObject[];
}

const noScripts: RunsOptions['scripts'] = {
  sandbox: new FakeSandbox({}),
  limits: () => ({ wallMs: 1, cpuMs: 1, memoryBytes: 1, calls: 1, outputBytes: 1, logLines: 1 }),
  prepare: (code) => ({
    source: code,
    operations: [],
    locate: (line, column) => ({ line, column, text: code }),
  }),
  refuse: async () => undefined,
};

const SIMPLE = ['read_a', 'read_b', 'read_c', 'write_a', 'write_b', 'delete_a', 'delete_b'];

/** A gateway whose runs are real and whose tools, all of server `fake`, are fakes. */
export async function runGateway({
  answers = {},
  log = new MemoryRunLog(),
  changes = {},
  tools = [],
}: RunGatewayOptions = {}) {
  const made = createDiscovery();
  const { discovery } = made;
  const logger: Logger & { readonly warnings: readonly string[] } = made.log;
  const catalog = new Catalog({
    onDefinitionChange: 'warn',
    log: logger,
    now: () => new Date(0),
  });
  const pool = new ServerPool(
    {
      dataDir: '/nowhere',
      environment: {},
      clientInfo: {},
      limits: {
        callTimeoutMs: 1_000,
        startTimeoutMs: 1_000,
        idleStopMs: 0,
        serverConcurrency: 1,
        backgroundStarts: 1,
        messageBytes: 1_000,
        tools: 1_000,
      },
      log: logger,
      now: () => 0,
      knownEras: () => undefined,
    },
    { listed: () => {}, notified: () => {} },
  );
  await pool.configure(new Map([[serverName('fake'), serverSpec('fake')]]));
  const fakes = new FakeTools(answers);
  let runs = 0;
  const gateway = new Gateway(gatewaySettings(['fake'], changes), {
    catalog,
    pool,
    log: logger,
    keptResultBytes: 1e8,
    discovery,
    capabilities: new Capabilities({ log: logger, now: () => new Date(0) }),
    graph: new KnowledgeGraph(),
    runs: (own) =>
      new Runs({
        log: Promise.resolve(log),
        scripts: noScripts,
        awakeMs: () => 1_000,
        callerFor: () => fakes,
        settings: () => runSettings(own),
        errorType,
        newRunId: () => runId(`run_${++runs}`),
        now: () => Date.now(),
        logger,
        onFinished: (trace, state) => rememberRun(own, trace, state),
        onRecovered: (recovered) => rememberRecovered(own, recovered),
      }),
    catalogLoaded: Promise.resolve(),
  });
  const simple = SIMPLE.map((name) => ({
    name,
    inputSchema: { type: 'object' },
    ...(name.startsWith('read') && { annotations: { readOnlyHint: true } }),
  }));
  const list = (rawTools: readonly JsonObject[]) =>
    catalog.refresh({
      server: serverName('fake'),
      configHash: 'fake',
      listing: {
        capabilities: {},
        serverInfo: {},
        resources: [],
        resourceTemplates: [],
        prompts: [],
      },
      rawTools,
      eras: ['legacy'],
      wasProbed: true,
    });
  list([...simple, ...tools]);
  return { gateway, tools: fakes, log, logger, discovery, clock: made.clock, list };
}

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
