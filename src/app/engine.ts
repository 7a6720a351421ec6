import { randomUUID } from 'node:crypto';

import type { RemoteSignIns } from '../auth/index.js';
import { Capabilities } from '../capabilities/index.js';
import { Catalog, DefinitionPins, readAhead } from '../catalog/index.js';
import type { Environment } from '../config/find.js';
import type { LoadedConfig } from '../config/load.js';
import {
  type AccessOf,
  type JsonObject,
  type Logger,
  pause,
  type PendingSignIn,
  type RunLog,
  type Sandbox,
  type ServerName,
  type ServerSpec,
  type ToolDefinition,
} from '../core/index.js';
import { Discovery } from '../discovery/index.js';
import { Sessions } from '../gateway/index.js';
import { GraphMetrics, graphOf, LiveGraph, SessionGraph } from '../graph/index.js';
import { KeptResults } from '../results/index.js';
import { type PoolEvents, readHeaderParams, ServerPool } from '../servers/index.js';
import {
  createCallPredictor,
  createSpeculationLedger,
  type LearningLedger,
} from '../speculation/index.js';
import { type GatewaySettings, ToolDirectory } from '../tools/index.js';
import { ProcessTrainer } from '../training/index.js';
import { createWorkflows, type Workflows } from '../workflows/index.js';
import { createForesight } from './create-foresight.js';
import { keptCatalog, pinFile } from './open/data-files.js';
import { createWarming, type EngineWarming } from './warming.js';

/** What a server speaks may change with an update; it is asked again after this time. */
const PROBE_AGAIN_MS = 7 * 24 * 3_600_000;
/** Intents are compared by meaning in the background; a model that is busy is not waited for longer. */
const COMPARE_PATIENCE_MS = 5_000;

export interface EngineOptions {
  readonly config: LoadedConfig;
  readonly version: string;
  readonly env: Environment;
  readonly log: Logger;
  /** Resolves when what is stored was read, or could not be. */
  readonly stored: Promise<void>;
  /** Resolves when the lists of servers and the capabilities are known, which may be earlier. */
  readonly known: Promise<void>;
  readonly runLog: Promise<RunLog>;
  readonly sandbox: Sandbox;
  readonly signIns: RemoteSignIns;
  /** What named clients may use. */
  readonly accessOf: AccessOf;
  /** Hides the secrets of the configuration, and what has the form of one. */
  readonly mask: (text: string) => string;
  /** Hides the secrets of the configuration alone. */
  readonly maskKnown: (text: string) => string;
}

/** Everything that answers clients, joined, from the servers up to the sessions. */
export interface Engine {
  readonly catalog: Catalog;
  readonly pool: ServerPool;
  readonly capabilities: Capabilities;
  readonly graph: LiveGraph;
  readonly discovery: Discovery;
  /** The process that learns from the past. */
  readonly training: AsyncDisposable;
  readonly tools: ToolDirectory;
  readonly results: KeptResults;
  readonly warming: EngineWarming;
  readonly workflows: Workflows;
  /** What is done before a client asks for it. */
  readonly speculation: { readonly ledger: LearningLedger };
  readonly sessions: Sessions;
}

/** Nothing here waits for the store or for a server; both come in when they are ready. */
export function createEngine(options: EngineOptions): Engine {
  const { config, version, log, stored, mask, maskKnown } = options;
  const startedAt = new Date();
  const catalog = createCatalog(options);
  const pool = createPool(options, {
    catalog,
    called: (...call) => warming.called(...call),
    changed: (server) => foresight.serverChanged(server),
    notified: (server, method, ...rest) => {
      if (method === 'notifications/resources/updated') foresight.serverChanged(server);
      sessions.onServerNotification(server, method, ...rest);
    },
  });
  const capabilities = new Capabilities({ log, now: () => new Date(), mask: maskKnown });
  const graph = new LiveGraph({ log, capabilities: () => capabilities.list() });
  capabilities.onChange(() => graph.capabilitiesChanged());
  const metrics = new GraphMetrics(graph.graph, {
    now: () => performance.now(),
    pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
    log,
  });
  const training = new ProcessTrainer({ log });
  const discovery = new Discovery({
    log,
    trainVectors: training.train,
    now: () => new Date(),
    newId: () => randomUUID(),
    onRemembered(traces) {
      workflows.remember(traces);
      // The predictor saw the calls of this daemon as they were made.
      predictor.remember(traces.filter(({ at, source }) => source === 'import' || at < startedAt));
    },
    graphOf,
    onAdded: (traces) => graph.add(traces),
    onPlanJudged({ model, decision, outcome }) {
      workflows.suggester.observe(model, decision, outcome.match);
    },
    session: new SessionGraph({
      graph: graph.graph,
      metrics: () => metrics.current,
      capabilities: () => capabilities.list(),
      now: () => Date.now(),
    }),
    isModelComing: true,
    // In proxy mode no client searches: the model waits for a command that does.
    isModelWanted: config.file.exposure.mode !== 'proxy',
    mask,
  });
  const tools = new ToolDirectory(gatewaySettings(config, version), {
    catalog,
    pool,
    capabilities,
    discovery,
    log,
    catalogLoaded: options.known,
    watch: { began: (...call) => foresight.began(...call) },
    accessOf: options.accessOf,
    beginSignIn: (server: ServerName) => beginSignIn(pool.get(server).spec, options.signIns),
  });
  const ledger = createLedger(options, { discovery, tools });
  const predictor = createCallPredictor({ toolOf: (id) => catalog.tool(id)?.definition });
  const foresight = createForesight({
    tools,
    predictor,
    ledger,
    get warming() {
      return warming.servers;
    },
    log,
    mask,
  });
  const results = new KeptResults({
    memoryBytes: config.file.limits.keptResultBytes,
    limits: () => tools.settings.limits,
    opened: stored,
    now: () => Date.now(),
    log,
  });
  const warming = createWarming({
    pool,
    capabilities,
    tools: () => tools,
    sessions: () => sessions,
    dataDir: config.dataDir,
    log,
  });
  const workflows = createWorkflows({
    tools,
    results,
    discovery,
    graph: graph.graph,
    metrics,
    runs: { log: options.runLog, sandbox: options.sandbox },
    warming: warming.servers,
    foresight,
    log,
    mask,
  });
  const speculation = { ledger };
  const sessions = new Sessions({ workflows, log, maskKnown });
  return {
    catalog,
    pool,
    capabilities,
    graph,
    discovery,
    training,
    tools,
    results,
    warming,
    workflows,
    speculation,
    sessions,
  };
}

function createLedger(
  { log, mask }: EngineOptions,
  { discovery, tools }: { readonly discovery: Discovery; readonly tools: ToolDirectory },
): LearningLedger {
  return createSpeculationLedger({
    log,
    mask,
    now: () => Date.now(),
    pause,
    compare: (texts) => discovery.compare(texts, COMPARE_PATIENCE_MS),
    fixedThreshold: () => tools.settings.speculation.threshold,
    targets: () => {
      const { target, waste } = tools.settings.speculation;
      return { useful: target, waste };
    },
  });
}

function createCatalog({ config, log }: EngineOptions): Catalog {
  return new Catalog({
    onDefinitionChange: config.file.definitionChanges,
    newTools: config.file.newTools,
    pins: new DefinitionPins({ file: pinFile(config.dataDir), log }),
    overrides: config.overrides,
    // Several gateways share a PostgreSQL database: there the database decides.
    ...(config.file.database === 'embedded' && { kept: keptCatalog(config.dataDir, log) }),
    log,
    now: () => new Date(),
  });
}

function createPool(
  { config, env, version, log, known: catalogKnown, signIns }: EngineOptions,
  { catalog, ...events }: { readonly catalog: Catalog } & Omit<PoolEvents, 'listed'>,
): ServerPool {
  // Never before the known catalog is in: a changed definition is seen only against it. One after
  // another: of two lists of a server, the newer one counts.
  let last: Promise<unknown> = catalogKnown;
  const refresh = async (...listed: Parameters<PoolEvents['listed']>): Promise<void> => {
    await readAhead(listed[1].tools);
    refreshCatalog(catalog, ...listed);
  };
  return new ServerPool(
    {
      dataDir: config.dataDir,
      environment: env,
      clientInfo: { name: 'pml', version },
      limits: config.file.limits,
      log,
      now: () => performance.now(),
      tokensFor: (spec) => signIns.tokensFor(spec),
      knownEras(name) {
        const known = catalog.server(name);
        const isFresh = known && Date.now() - known.probedAt.getTime() < PROBE_AGAIN_MS;
        return isFresh ? known.eras : undefined;
      },
    },
    {
      listed(...listed) {
        const mine = last.then(() => refresh(...listed));
        last = mine.catch(() => {}); // The server that waits for `mine` gets the error.
        return mine;
      },
      ...events,
    },
  );
}

function refreshCatalog(
  catalog: Catalog,
  ...[spec, listing, greeting, eras]: Parameters<PoolEvents['listed']>
): void {
  const { tools, ...lists } = listing;
  const { capabilities, serverInfo, instructions } = greeting;
  catalog.refresh({
    server: spec.name,
    configHash: spec.configHash,
    listing: { capabilities, serverInfo, ...lists, ...(instructions && { instructions }) },
    rawTools: tools,
    eras,
    wasProbed: greeting.eras !== undefined,
    // Only that revision, over HTTP, knows headers for parameters, and wants wrong ones refused.
    ...(spec.kind === 'http' && eras.includes('modern') && { faultOf: headerFault }),
  });
}

function headerFault({ inputSchema }: ToolDefinition): string | undefined {
  const read = readHeaderParams(inputSchema as JsonObject);
  return read.ok ? undefined : read.fault;
}

/** What the engine needs of the configuration, which may change while it runs. */
export function gatewaySettings(config: LoadedConfig, version: string): GatewaySettings {
  const { exposure, permissions, limits, workflows, code, context, speculation, learning } =
    config.file;
  const profiles = Object.entries(config.file.profiles).map(
    ([name, profile]) => [name, { name, ...profile }] as const,
  );
  return {
    version,
    servers: config.servers,
    profiles: new Map(profiles),
    profile: config.file.profile,
    exposure,
    permissions,
    limits,
    workflows,
    code,
    context,
    speculation,
    learning,
  };
}

async function beginSignIn(spec: ServerSpec, signIns: RemoteSignIns): Promise<PendingSignIn> {
  const { address, done } = await signIns.begin(spec, { device: false });
  return {
    id: address.id,
    url: address.url,
    done: done.then(({ status }) => status === 'signed_in'),
  };
}
