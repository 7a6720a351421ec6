import { Capabilities } from '../../src/capabilities/index.js';
import { Catalog } from '../../src/catalog/index.js';
import { serverName, silentLogger } from '../../src/core/index.js';
import { Gateway } from '../../src/gateway/gateway.js';
import { KnowledgeGraph } from '../../src/graph/index.js';
import { ServerPool } from '../../src/servers/index.js';
import type { GatewaySettings } from '../../src/tools/settings.js';
import { createRuns } from '../../src/workflows/run/create-runs.js';
import { FakeSandbox } from './fake-sandbox.js';
import { gatewaySettings, serverSpec } from './gateway-settings.js';
import { MemoryRunLog } from './memory-run-log.js';
import { createTestDiscovery } from './test-discovery.js';

/** A gateway in front of servers that are never started; `list` says what one of them would. */
export async function offlineGateway(
  dataDir: string,
  servers: readonly string[],
  changes: Partial<GatewaySettings> = {},
) {
  const catalog = new Catalog({
    onDefinitionChange: 'block',
    log: silentLogger,
    now: () => new Date(0),
  });
  const limits = {
    callTimeoutMs: 1_000,
    startTimeoutMs: 1_000,
    idleStopMs: 0,
    serverConcurrency: 1,
    backgroundStarts: 1,
    messageBytes: 1_000,
    tools: 10,
  };
  const log = silentLogger;
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
  const gateway = new Gateway(gatewaySettings(servers, changes), {
    catalog,
    pool,
    log,
    keptResultBytes: 1_000,
    discovery: createTestDiscovery(),
    capabilities: new Capabilities({ log: silentLogger, now: () => new Date(0) }),
    graph: new KnowledgeGraph(),
    runs: (gateway) =>
      createRuns(gateway, {
        log: Promise.resolve(new MemoryRunLog()),
        sandbox: new FakeSandbox({}),
        mask: (text) => text,
      }),
    catalogLoaded: Promise.resolve(),
  });
  const lists = { resources: [], resourceTemplates: [], prompts: [] };
  const list = (server: string, tools: readonly string[], description = '') =>
    catalog.refresh({
      server: serverName(server),
      configHash: server,
      listing: { capabilities: {}, serverInfo: {}, ...lists },
      rawTools: tools.map((name) => ({ name, description, inputSchema: { type: 'object' } })),
      eras: ['legacy'],
      wasProbed: true,
    });
  return { gateway, list };
}
