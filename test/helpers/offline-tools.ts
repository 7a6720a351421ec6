import { Capabilities } from '../../src/capabilities/index.js';
import { Catalog } from '../../src/catalog/index.js';
import { type JsonObject, type Logger, serverName, silentLogger } from '../../src/core/index.js';
import type { Discovery } from '../../src/discovery/index.js';
import { ServerPool } from '../../src/servers/index.js';
import type { GatewaySettings } from '../../src/tools/settings.js';
import { ToolDirectory } from '../../src/tools/tool-directory.js';
import { gatewaySettings, serverSpec } from './gateway-settings.js';
import { createTestDiscovery } from './test-discovery.js';

export interface OfflineOptions {
  readonly changes?: Partial<GatewaySettings>;
  readonly discovery?: Discovery;
  readonly log?: Logger;
  readonly dataDir?: string;
  readonly onDefinitionChange?: 'block' | 'warn';
}

/** A directory of tools of servers that are never started; `list` says what one of them would. */
export async function offlineTools(
  servers: readonly string[],
  {
    changes = {},
    discovery = createTestDiscovery(),
    log = silentLogger,
    dataDir = '/nowhere',
    onDefinitionChange = 'block',
  }: OfflineOptions = {},
) {
  const catalog = new Catalog({ onDefinitionChange, log, now: () => new Date(0) });
  const limits = {
    callTimeoutMs: 1_000,
    startTimeoutMs: 1_000,
    idleStopMs: 0,
    serverConcurrency: 1,
    backgroundStarts: 1,
    messageBytes: 1_000,
    tools: 1_000,
  };
  const pool = new ServerPool(
    {
      dataDir,
      environment: {},
      clientInfo: {},
      limits,
      log,
      now: () => 0,
      knownEras: () => undefined,
    },
    { listed: () => {}, notified: () => {} },
  );
  await pool.configure(new Map(servers.map((one) => [serverName(one), serverSpec(one)])));
  const tools = new ToolDirectory(gatewaySettings(servers, changes), {
    catalog,
    pool,
    capabilities: new Capabilities({ log, now: () => new Date(0) }),
    discovery,
    log,
    catalogLoaded: Promise.resolve(),
  });
  const lists = { resources: [], resourceTemplates: [], prompts: [] };
  const listRaw = (server: string, rawTools: readonly JsonObject[]) =>
    catalog.refresh({
      server: serverName(server),
      configHash: server,
      listing: { capabilities: {}, serverInfo: {}, ...lists },
      rawTools,
      eras: ['legacy'],
      wasProbed: true,
    });
  const list = (server: string, names: readonly string[], description = '') =>
    listRaw(
      server,
      names.map((name) => ({ name, description, inputSchema: { type: 'object' } })),
    );
  return { tools, list, listRaw };
}
