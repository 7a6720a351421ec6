import { afterEach, expect, test, vi } from 'vitest';

import { FakeSandbox } from '../../test/helpers/fake-sandbox.js';
import { gatewaySettings } from '../../test/helpers/gateway-settings.js';
import { MemoryRunLog } from '../../test/helpers/memory-run-log.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { createTestDiscovery } from '../../test/helpers/test-discovery.js';
import { Capabilities } from '../capabilities/index.js';
import { Catalog } from '../catalog/index.js';
import { silentLogger } from '../core/index.js';
import { KnowledgeGraph } from '../graph/index.js';
import { ServerPool } from '../servers/index.js';
import { createRuns } from './create-runs.js';
import { Gateway } from './gateway.js';
import { HttpServer, type HttpOptions } from './http-server.js';

const log = silentLogger;
const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  },
};
const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

const open: AsyncDisposable[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

async function start(options: Partial<HttpOptions>): Promise<{ url: string; server: HttpServer }> {
  const folder = await temporaryFolder();
  const pool = new ServerPool(
    {
      dataDir: folder.path,
      environment: {},
      clientInfo: {},
      limits: {
        callTimeoutMs: 1_000,
        startTimeoutMs: 1_000,
        idleStopMs: 0,
        serverConcurrency: 1,
        backgroundStarts: 1,
        messageBytes: 1e6,
        tools: 10,
      },
      log,
      now: () => 0,
      knownEras: () => undefined,
    },
    { listed: () => {}, notified: () => {} },
  );
  const gateway = new Gateway(gatewaySettings([]), {
    catalog: new Catalog({ onDefinitionChange: 'warn', log, now: () => new Date(0) }),
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
  const server = new HttpServer(gateway, {
    host: '127.0.0.1',
    port: 0,
    token: () => undefined,
    limits: { httpClients: 10, httpRequests: 10, httpBodyBytes: 1e6 },
    allowedHosts: [],
    log,
    ...options,
  });
  const url = await server.listen();
  open.push(folder, server);
  return { url, server };
}

async function post(url: string, body: object, session?: string): Promise<Response> {
  const own = session === undefined ? {} : { 'mcp-session-id': session };
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...own },
    body: JSON.stringify(body),
  });
  await response.text();
  return response;
}

test('a session without a client is forgotten and then not found', async () => {
  const { url, server } = await start({ sessionIdleMs: 1 });

  const session = (await post(url, hello)).headers.get('mcp-session-id') ?? '';

  await expect.poll(() => server.sessionCount).toBe(0);
  expect((await post(url, ping, session)).status).toBe(404);
});

test('a session lives as long as its event stream is open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { url, server } = await start({ sessionIdleMs: 1_000 });
  const session = (await post(url, hello)).headers.get('mcp-session-id') ?? '';
  const stream = new AbortController();
  const own = { ...headers, 'mcp-session-id': session };
  const { status } = await fetch(url, { headers: own, signal: stream.signal });

  vi.advanceTimersByTime(10_000);
  const whileOpen = server.sessionCount;
  stream.abort();
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
  vi.advanceTimersByTime(1_000);

  expect({ status, whileOpen }).toEqual({ status: 200, whileOpen: 1 });
  await expect.poll(() => server.sessionCount).toBe(0);
});

test('a host that others can reach needs a token', async () => {
  await expect(start({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
});
