import { probeSandbox } from '../app/probe/probe-sandbox.js';
import type { FailedOperation, StoreHealth } from '../app/tend/watch-store.js';
import type { Catalog } from '../catalog/index.js';
import type { LoadedConfig } from '../config/load.js';
import {
  asText,
  type JsonObject,
  type Logger,
  messageOf,
  parseToolId,
  PmlError,
  type ServerName,
} from '../core/index.js';
import { withPatience } from '../discovery/index.js';
import { type Gateway, listCapabilityTools } from '../gateway/index.js';
import type { LiveGraph } from '../graph/index.js';
import type { ServerPool } from '../servers/index.js';
import type { Store } from '../store/index.js';
import { asJson } from './as-json.js';
import {
  changeCapability,
  exportCapabilities,
  exportSkills,
  importCapabilities,
  listCapabilities,
  showCapability,
  verifyCapabilities,
} from './capabilities/show.js';
import type { RejectedConfig } from './contract/status.js';
import { importRows, learn } from './experience/import.js';
import { explain } from './explain/explain.js';
import { findPath, graphProgress, graphStats, rebuildGraph, showNode } from './graph/show.js';
import { showRankingMetrics } from './metrics/metrics.js';
import { decide, listRuns, showRun, startRun, watchRun } from './runs/runs.js';
import { FIRST_LISTING_MS, index, search, statusOf } from './search/search.js';
import { showMemory } from './status/memory.js';

/** Its size is read in milliseconds; a store that takes longer hangs, and status must not. */
const STORE_ANSWERS_MS = 5_000;
/** A new one is unpacked first, and a large one recovered. */
const STORE_OPENS_MS = 30_000;

/** How HTTP is served, and what clients need to come in. */
export interface OpenHttp {
  readonly url: string;
  readonly access: 'file' | 'configured' | 'none';
  /** Where the token is. */
  readonly tokenFile?: string;
  /** Whether it was made just now. */
  readonly isNewToken?: boolean;
}

/** What the command line may look at and do. */
export interface ControlledDaemon {
  readonly version: string;
  readonly build: string;
  readonly config: LoadedConfig;
  readonly catalog: Catalog;
  /** Hides the secrets of the configuration. */
  mask(text: string): string;
  readonly gateway: Gateway;
  readonly graph: LiveGraph;
  readonly pool: ServerPool;
  readonly httpUrl: string | undefined;
  /** Serves HTTP without asking for a token. */
  readonly isHttpOpenToAll: boolean;
  readonly rejectedConfig: RejectedConfig | undefined;
  readonly storeHealth: StoreHealth;
  readonly clientCount: number;
  journalProblems(): Promise<readonly string[]>;
  store(): Promise<{ store: Store | undefined; error: string | undefined }>;
  openHttp(port: number | undefined): Promise<OpenHttp>;
  closeHttp(): Promise<void>;
  /** Opens the model anew and indexes with it; `forget` drops the stored vectors first. */
  reindex(options: { forget: boolean }): Promise<void>;
  stop(reason: string): void;
}

/** What our own command line may ask of a running daemon. */
export function createControl(
  daemon: ControlledDaemon,
  log: Logger,
): (method: string, params: JsonObject) => Promise<JsonObject> {
  return async (method, params) => {
    log.debug('control', { method });
    switch (method) {
      case 'status':
        return status(daemon);
      case 'memory':
        return showMemory(daemon);
      case 'tools':
        return tools(daemon);
      case 'lists':
        return lists(daemon, params);
      case 'search':
        return search(daemon, params);
      case 'index':
        return index(daemon, params);
      case 'import':
        return importRows(daemon, params);
      case 'learn':
        return learn(daemon);
      case 'run-start':
        return startRun(daemon, params);
      case 'runs':
        return listRuns(daemon, params);
      case 'run-show':
        return showRun(daemon, params);
      case 'run-watch':
        return watchRun(daemon, params);
      case 'run-decide':
        return decide(daemon, params);
      case 'capabilities':
        return listCapabilities(daemon);
      case 'capability-show':
        return showCapability(daemon, params);
      case 'capability-change':
        return changeCapability(daemon, params);
      case 'capabilities-export':
        return exportCapabilities(daemon, params);
      case 'capabilities-skills':
        return exportSkills(daemon, params);
      case 'capabilities-verify':
        return verifyCapabilities(daemon, params);
      case 'capabilities-import':
        return importCapabilities(daemon, params);
      case 'graph-stats':
        return graphStats(daemon);
      case 'graph-show':
        return showNode(daemon, params);
      case 'graph-path':
        return findPath(daemon, params);
      case 'graph-rebuild':
        return rebuildGraph(daemon, params);
      case 'graph-progress':
        return graphProgress(daemon);
      case 'explain':
        return explain(daemon, params);
      case 'metrics-ranking':
        return showRankingMetrics(daemon, params);
      case 'approve':
        return approve(daemon, params);
      case 'changes':
        return changes(daemon, params);
      case 'refresh':
        return refresh(daemon, params);
      case 'http-open':
        return { ...(await daemon.openHttp(portOf(params))) };
      case 'http-close':
        await daemon.closeHttp();
        return {};
      case 'stop':
        return stop(daemon, params);
      default:
        throw new PmlError('BAD_REQUEST', `Unknown control method ${method}`);
    }
  };
}

async function status(daemon: ControlledDaemon): Promise<JsonObject> {
  const { config, catalog, gateway } = daemon;
  const problems = await daemon.journalProblems();
  return {
    pid: process.pid,
    version: daemon.version,
    build: daemon.build,
    uptimeMs: Math.round(process.uptime() * 1000),
    rssBytes: process.memoryUsage().rss,
    config: config.path,
    dataDir: config.dataDir,
    ...(daemon.rejectedConfig && { rejectedConfig: { ...daemon.rejectedConfig } }),
    exposure: config.file.exposure.mode,
    clients: [...gateway.sessions].map((session) => ({
      id: session.id,
      name: asText(session.info['name']) || 'unknown',
      budget: { ...session.budget },
    })),
    ...(daemon.httpUrl && { http: daemon.httpUrl }),
    ...(daemon.isHttpOpenToAll && { isHttpOpenToAll: true }),
    store: await storeStatus(daemon),
    ...(problems.length > 0 && { journal: { problems: [...problems] } }),
    search: asJson(statusOf(daemon)),
    servers: daemon.pool.all().map(({ spec, status: one }) => ({
      name: spec.name,
      kind: spec.kind,
      ...asJson({ ...one, lastError: one.lastError && daemon.mask(one.lastError) }),
      tools: catalog.toolsOf(spec.name).filter((tool) => tool.status === 'active').length,
      listed: catalog.server(spec.name)?.configHash === spec.configHash,
    })),
    broken: Object.fromEntries(config.broken),
    sandbox: { ...(await probeSandbox()) },
    disabled: [...config.disabled],
  };
}

/** A store that cannot even tell its size is still told of: that is what status is for. */
async function storeStatus(daemon: ControlledDaemon): Promise<JsonObject> {
  const opened = await withPatience(daemon.store(), STORE_OPENS_MS);
  if (!opened) return { error: `it has been opening for more than ${STORE_OPENS_MS / 1000} s` };
  const { store, error } = opened;
  if (!store) return { error: error ?? 'not open' };
  try {
    const failing = daemon.storeHealth.failing.map((one) => {
      return { ...one, error: daemon.mask(one.error) };
    });
    const info = await withPatience(store.info(), STORE_ANSWERS_MS);
    if (!info) return { error: describeSilentStore(failing) };
    return asJson({ ...info, ...(failing.length > 0 && { failing }) });
  } catch (failure) {
    return { error: daemon.mask(messageOf(failure)) };
  }
}

function describeSilentStore(failing: readonly FailedOperation[]): string {
  const rest = failing.map(({ what, error }) => `; ${what}: ${error}`).join('');
  return `it gives no answer within ${STORE_ANSWERS_MS / 1000} s${rest}`;
}

async function tools(daemon: ControlledDaemon): Promise<JsonObject> {
  const { gateway, catalog } = daemon;
  await gateway.catalogLoaded;
  const { view } = gateway;
  return {
    exposed: [...view.toolList, ...(await listCapabilityTools(gateway))],
    instructions: view.instructions,
    context: { ...daemon.config.file.context },
    hidden: catalog.hidden().map((one) => ({ ...one })),
    ...(catalog.pins.problem && { pinsProblem: catalog.pins.problem }),
    tools: catalog.tools().map((tool) => asJson({ ...tool, visible: isVisible(daemon, tool.id) })),
    missing: gateway.view.unlisted.map((name) => missingOf(daemon, name)),
  };
}

/** Which servers are still to show their lists; waits a moment for them to do so. */
async function lists({ gateway }: ControlledDaemon, params: JsonObject): Promise<JsonObject> {
  const waitMs = typeof params['waitMs'] === 'number' ? params['waitMs'] : 0;
  await gateway.firstListing(Math.min(Math.max(waitMs, 1), FIRST_LISTING_MS));
  return { awaited: [...gateway.awaitedServers] };
}

/** A server hides its own secrets alone; what it could not start may hold one of another. */
function missingOf(daemon: ControlledDaemon, server: ServerName): JsonObject {
  const { pool } = daemon;
  const error = pool.has(server) ? pool.get(server).status.lastError : undefined;
  const reason = error === undefined ? 'it has not shown its tools yet' : daemon.mask(error);
  return { server, reason };
}

function isVisible(daemon: ControlledDaemon, id: string): boolean {
  return daemon.gateway.view.tools.find(id)?.tool.id === id;
}

async function approve(daemon: ControlledDaemon, params: JsonObject): Promise<JsonObject> {
  await daemon.gateway.catalogLoaded;
  const { id } = parseToolId(asText(params['tool']));
  // Without a store it is known when its server has listed it. What is known is not listed again: the
  // user approves what `pml tools changes` showed.
  if (!daemon.catalog.tool(id)) await daemon.gateway.toolListing(id);
  const tool = daemon.catalog.approve(id);
  await daemon.catalog.settled();
  await daemon.catalog.pins.assertKept();
  return asJson(tool);
}

async function changes(daemon: ControlledDaemon, params: JsonObject): Promise<JsonObject> {
  const { store } = await daemon.store();
  const limit = typeof params['limit'] === 'number' ? params['limit'] : 50;
  const rows = store ? await store.catalog.changes({ limit }) : daemon.catalog.pins.changes(limit);
  return { changes: rows.map((row) => asJson(row)) };
}

async function refresh(daemon: ControlledDaemon, params: JsonObject): Promise<JsonObject> {
  const wanted = params['server'];
  const names = daemon.pool.names().filter((name) => wanted === undefined || name === wanted);
  if (names.length === 0) throw new PmlError('SERVER_UNKNOWN', `No server ${asText(wanted)}`);
  await daemon.pool.warmUp(names);
  return status(daemon);
}

async function stop(daemon: ControlledDaemon, params: JsonObject): Promise<JsonObject> {
  if (params['ifUnused'] === true && daemon.clientCount > 0) {
    return { stopping: false, clients: daemon.clientCount };
  }
  // Answer first: the connection ends with the daemon.
  setTimeout(() => daemon.stop('asked to'), 20);
  return { stopping: true, pid: process.pid };
}

function portOf(params: JsonObject): number | undefined {
  return typeof params['port'] === 'number' ? params['port'] : undefined;
}
