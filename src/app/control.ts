import {
  isJsonObject,
  type JsonObject,
  type Logger,
  parseToolId,
  PmlError,
} from '../core/index.js';
import { metaTools, META_INSTRUCTIONS } from '../gateway/index.js';
import type { Daemon } from './create-daemon.js';

/** What our own command line may ask of a running daemon. */
export function createControl(
  daemon: Daemon,
  log: Logger,
): (method: string, params: JsonObject) => Promise<JsonObject> {
  return async (method, params) => {
    log.debug('control', { method });
    switch (method) {
      case 'status':
        return status(daemon);
      case 'tools':
        return tools(daemon);
      case 'approve':
        return approve(daemon, params);
      case 'changes':
        return changes(daemon, params);
      case 'refresh':
        return refresh(daemon, params);
      case 'http-open':
        return { url: await daemon.openHttp(portOf(params)) };
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

async function status(daemon: Daemon): Promise<JsonObject> {
  const { config, catalog, gateway } = daemon;
  const { store, error } = await daemon.store();
  const info = await store?.info();
  return {
    pid: process.pid,
    version: daemon.version,
    uptimeMs: Math.round(process.uptime() * 1000),
    rssBytes: process.memoryUsage().rss,
    config: config.path,
    dataDir: config.dataDir,
    exposure: config.file.exposure.mode,
    clients: [...gateway.sessions].map((session) => ({
      id: session.id,
      name: String(session.info['name'] ?? 'unknown'),
      budget: { ...session.budget },
    })),
    ...(daemon.httpUrl && { http: daemon.httpUrl }),
    store: info ? { ...asJson(info) } : { error: error ?? 'not open' },
    servers: daemon.pool.all().map(({ spec, status: one }) => ({
      name: spec.name,
      kind: spec.kind,
      ...asJson(one),
      tools: catalog.toolsOf(spec.name).filter((tool) => tool.status === 'active').length,
      listed: catalog.server(spec.name)?.configHash === spec.configHash,
    })),
    broken: Object.fromEntries(config.broken),
    disabled: [...config.disabled],
  };
}

async function tools(daemon: Daemon): Promise<JsonObject> {
  const { gateway, catalog } = daemon;
  await gateway.catalogLoaded;
  const { view } = gateway;
  return {
    exposure: daemon.config.file.exposure.mode,
    exposed: view.toolList,
    instructions: view.instructions,
    meta: metaTools(view.servers) as unknown as JsonObject[],
    metaInstructions: META_INSTRUCTIONS,
    context: { ...daemon.config.file.context },
    tools: catalog.tools().map((tool) => asJson({ ...tool, visible: isVisible(daemon, tool.id) })),
  };
}

function isVisible(daemon: Daemon, id: string): boolean {
  return daemon.gateway.view.tools.find(id)?.tool.id === id;
}

async function approve(daemon: Daemon, params: JsonObject): Promise<JsonObject> {
  await daemon.gateway.catalogLoaded;
  const { id } = parseToolId(String(params['tool']));
  const tool = daemon.catalog.approve(id);
  await daemon.catalog.settled();
  return asJson(tool);
}

async function changes(daemon: Daemon, params: JsonObject): Promise<JsonObject> {
  const { store, error } = await daemon.store();
  if (!store) throw new PmlError('STORE_FAILED', error ?? 'the store is not open');
  const limit = typeof params['limit'] === 'number' ? params['limit'] : 50;
  const rows = await store.catalog.changes({ limit });
  return { changes: rows.map((row) => asJson(row)) };
}

async function refresh(daemon: Daemon, params: JsonObject): Promise<JsonObject> {
  const wanted = params['server'];
  const names = daemon.pool.names().filter((name) => wanted === undefined || name === wanted);
  if (names.length === 0) throw new PmlError('SERVER_UNKNOWN', `No server ${String(wanted)}`);
  await daemon.pool.warmUp(names);
  return status(daemon);
}

async function stop(daemon: Daemon, params: JsonObject): Promise<JsonObject> {
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

/** Dates as text, undefined left out: what a line of JSON can hold. */
function asJson(value: object): JsonObject {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(plain) ? plain : {};
}
