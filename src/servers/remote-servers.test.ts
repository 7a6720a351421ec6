import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { afterEach, expect, test, vi } from 'vitest';

import { serverSpec } from '../../test/helpers/gateway-settings.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import {
  type ProtocolEra,
  type RemoteSpec,
  serverName,
  silentLogger,
  THE_USER,
} from '../core/index.js';
import type { RpcRequest } from '../rpc/index.js';
import type { Caller } from './caller.js';
import { HttpChannel } from './connection/http-channel.js';
import { type PoolSettings, ServerPool } from './server-pool.js';

const NAME = serverName('remote');
const caller: Caller = {
  session: 's',
  principal: THE_USER,
  user: 's',
  era: 'legacy',
  info: {},
  capabilities: {},
  ask: () => Promise.reject(new Error('nobody asks')),
  tell: () => {},
};

afterEach(() => {
  vi.useRealTimers();
});

/** `Promise.withResolvers`, which Node 20 does not have. */
function signalOf<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

async function listen(handler: Handler): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => void handler(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function remote(kind: RemoteSpec['kind'], url: string): RemoteSpec {
  const { toolsAllow, toolsDeny, timeoutMs, maxConcurrency, isolation, start, configHash } =
    serverSpec('remote');
  const common = { toolsAllow, toolsDeny, timeoutMs, maxConcurrency, isolation, start, configHash };
  return { kind, name: NAME, url, headers: {}, ...common };
}

async function poolOf(
  spec: RemoteSpec,
  limits: Partial<PoolSettings['limits']> = {},
  eras: readonly ProtocolEra[] = ['legacy'],
) {
  const folder = await temporaryFolder();
  const pool = new ServerPool(
    {
      dataDir: folder.path,
      environment: {},
      clientInfo: { name: 'test', version: '0' },
      limits: {
        callTimeoutMs: 20_000,
        startTimeoutMs: 20_000,
        idleStopMs: 0,
        serverConcurrency: 8,
        backgroundStarts: 1,
        messageBytes: 1_000_000,
        tools: 10,
        ...limits,
      },
      log: silentLogger,
      now: Date.now,
      knownEras: () => eras,
    },
    { listed: () => {}, notified: () => {} },
  );
  await pool.configure(new Map([[NAME, spec]]));
  return {
    pool,
    async [Symbol.asyncDispose]() {
      await pool.close(new Error('test ended'));
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A server with sessions that loses them all when it restarts. */
function sessionServer({ refusesCalls = false } = {}) {
  let life = 1;
  let callCount = 0;
  const handler: Handler = async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as RpcRequest;
    const answer = (result: object) => {
      response.setHeader('content-type', 'application/json');
      response.setHeader('mcp-session-id', `life-${life}`);
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    };
    if (method === 'initialize') {
      return answer({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} });
    }
    const isCall = method === 'tools/call';
    if (isCall) callCount++;
    if (request.headers['mcp-session-id'] !== `life-${life}` || (isCall && refusesCalls)) {
      return void response.writeHead(404).end();
    }
    if (id === undefined) return void response.writeHead(202).end();
    return answer({ life });
  };
  return { handler, callCount: () => callCount, restart: () => life++ };
}

test('calls to a restarted remote server are retried in a new session', async () => {
  const server = sessionServer();
  await using http = await listen(server.handler);
  await using opened = await poolOf(remote('http', http.url));
  const managed = opened.pool.get(NAME);
  const call = () => managed.request('tools/call', {}, { caller });
  expect(await call()).toEqual({ life: 1 });

  server.restart();

  expect(await Promise.all([call(), call()])).toEqual([{ life: 2 }, { life: 2 }]);
  expect(managed.status.state).toBe('running');
});

test('call that is refused in every session is made twice and no more', async () => {
  const server = sessionServer({ refusesCalls: true });
  await using http = await listen(server.handler);
  await using opened = await poolOf(remote('http', http.url));
  const call = opened.pool.get(NAME).request('tools/call', {}, { caller });

  await expect(call).rejects.toMatchObject({ code: 'SERVER_CRASHED' });
  expect(server.callCount()).toBe(2);
});

/** Opens the event stream and never announces an endpoint. */
const silentStream: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
};

test('event stream without an endpoint is abandoned after the start timeout', async () => {
  await using http = await listen(silentStream);
  await using opened = await poolOf(remote('sse', http.url), { startTimeoutMs: 50 });

  await expect(opened.pool.get(NAME).request('tools/call', {}, { caller })).rejects.toMatchObject({
    code: 'SERVER_NOT_STARTED',
    message: expect.stringContaining('did not answer within 50 ms') as string,
  });
});

test('closing ends a pending start that waits for an endpoint, and its stream', async () => {
  const streamOpened = signalOf<ServerResponse>();
  await using http = await listen((request, response) => {
    void silentStream(request, response);
    streamOpened.resolve(response);
  });
  await using opened = await poolOf(remote('sse', http.url));
  const call = opened.pool.get(NAME).request('tools/call', {}, { caller });
  const outcome = call.catch((error: unknown) => (error as Error).message);
  const streamClosed = once(await streamOpened.promise, 'close');

  await opened.pool.close(new Error('enough'));

  expect(await outcome).toContain('enough');
  await streamClosed;
});

test('closing a channel does not wait for a remote server that never answers the DELETE', async () => {
  const server = sessionServer();
  const leaving = signalOf<void>();
  await using http = await listen((request, response) =>
    request.method === 'DELETE' ? leaving.resolve() : server.handler(request, response),
  );
  const channel = await HttpChannel.open(remote('http', http.url), {
    startTimeoutMs: 20_000,
    maxMessageBytes: 1_000_000,
    signal: new AbortController().signal,
    log: silentLogger,
  });
  await channel.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '0' },
    },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

  const closed = channel.close(new Error('enough'));
  await leaving.promise;
  vi.advanceTimersByTime(1_000);

  await expect(closed).resolves.toBeUndefined();
});

type Answer = (id: unknown, response: ServerResponse) => void;

const messageOf = (id: unknown, result: object) => JSON.stringify({ jsonrpc: '2.0', id, result });

/** A server whose responses the test defines, without a length: only the received data counts. */
function answering(answerCall: Answer): Handler {
  return async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as RpcRequest;
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/call') return answerCall(id, response);
    response.setHeader('content-type', 'application/json');
    response.end(
      messageOf(id, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }),
    );
  };
}

const asJson = (id: unknown, text: string, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  response.end(messageOf(id, { text }));
};

const asEvents = (id: unknown, text: string, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  response.write(`: a comment\r\n\r\n`);
  response.end(`data: ${messageOf(id, { text })}\r\n\r\n`);
};

// covers: REMOTE-BOUNDED
test.each([
  ['JSON', asJson],
  ['an event', asEvents],
])(
  'response as %s that exceeds the message limit fails, and a shorter one works',
  async (_, send) => {
    let text = 'x'.repeat(1_000_001);
    await using http = await listen(answering((id, response) => send(id, text, response)));
    await using opened = await poolOf(remote('http', http.url));
    const call = () => opened.pool.get(NAME).request('tools/call', {}, { caller });

    await expect(call()).rejects.toMatchObject({
      code: 'SERVER_TOO_LARGE',
      message: expect.stringContaining('Raise limits.messageBytes') as string,
    });
    text = 'x'.repeat(900_000);
    expect(await call()).toEqual({ text });
  },
);

test('events that exceed the limit only together are all read', async () => {
  await using http = await listen(
    answering((id, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const note = { jsonrpc: '2.0', method: 'notifications/x', params: { x: 'x'.repeat(90_000) } };
      for (let i = 0; i < 20; i++) response.write(`data: ${JSON.stringify(note)}\n\n`);
      response.end(`data: ${messageOf(id, { ok: true })}\n\n`);
    }),
  );
  await using opened = await poolOf(remote('http', http.url));

  const call = opened.pool.get(NAME).request('tools/call', {}, { caller });

  expect(await call).toEqual({ ok: true });
});

// covers: REMOTE-BOUNDED
test('event of many lines is one message, whatever its line endings', async () => {
  await using http = await listen(
    answering((_id, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let i = 0; i < 20; i++) response.write(`data: ${'x'.repeat(90_000)}\r\n`);
    }),
  );
  await using opened = await poolOf(remote('http', http.url));

  const call = opened.pool.get(NAME).request('tools/call', {}, { caller });

  await expect(call).rejects.toMatchObject({ code: 'SERVER_TOO_LARGE' });
});

// covers: REMOTE-BOUNDED
test('endless response is refused while it arrives, and its connection ends', async () => {
  let sentBytes = 0;
  const cut = signalOf<void>();
  await using http = await listen(
    answering((_id, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const part = Buffer.alloc(65_536, 'x');
      const more = () => {
        while (!response.destroyed && response.write(part)) sentBytes += part.length;
      };
      response.on('drain', more);
      response.once('close', () => cut.resolve());
      more();
    }),
  );
  await using opened = await poolOf(remote('http', http.url));

  const call = opened.pool.get(NAME).request('tools/call', {}, { caller });

  await expect(call).rejects.toMatchObject({ code: 'SERVER_TOO_LARGE' });
  await cut.promise;
  expect(sentBytes).toBeLessThan(50_000_000);
});

/** The older SSE: responses arrive on the stream that was opened first. */
function sseServer(text: () => string): Handler {
  let stream: ServerResponse | undefined;
  return async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /mcp\n\n');
      stream = response;
      return;
    }
    const { id, method } = (await json(request)) as RpcRequest;
    response.writeHead(202).end();
    if (id === undefined) return;
    const greeting = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
    const result = method === 'tools/call' ? { text: text() } : greeting;
    stream?.write(`event: message\ndata: ${messageOf(id, result)}\n\n`);
  };
}

// covers: REMOTE-BOUNDED
test('too long message over the older SSE is refused, and the next call works', async () => {
  let text = 'x'.repeat(1_000_001);
  await using http = await listen(sseServer(() => text));
  await using opened = await poolOf(remote('sse', http.url));
  const call = () => opened.pool.get(NAME).request('tools/call', {}, { caller });

  await expect(call()).rejects.toMatchObject({ code: 'SERVER_TOO_LARGE' });
  text = 'short';
  expect(await call()).toEqual({ text });
});

/** A server of the newer revision that requires a header after its list was read. */
function markingServer() {
  let isMarking = false;
  const calls: (string | undefined)[] = [];
  const handler: Handler = async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method } = (await json(request)) as RpcRequest;
    const answer = (body: object, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    };
    if (method === 'server/discover') {
      const capabilities = { tools: {} };
      const supportedVersions = ['2026-07-28'];
      return answer({ result: { supportedVersions, capabilities, serverInfo: {} } });
    }
    if (method === 'tools/list') {
      const region = { type: 'string', ...(isMarking && { 'x-mcp-header': 'Region' }) };
      const inputSchema = { type: 'object', properties: { region } };
      return answer({ result: { tools: [{ name: 'query', inputSchema }] } });
    }
    if (method !== 'tools/call') return answer({ error: { code: -32601, message: 'no' } }, 404);
    const header = request.headers['mcp-param-region'] as string | undefined;
    calls.push(header);
    if (isMarking && header !== 'eu') {
      return answer({ error: { code: -32020, message: 'Mcp-Param-Region is missing' } }, 400);
    }
    return answer({ result: { content: [] } });
  };
  return { handler, calls, mark: () => (isMarking = true) };
}

test('call refused because of a missing header is retried with the headers of the new list', async () => {
  // covers: PASS-HEADERS
  const server = markingServer();
  await using http = await listen(server.handler);
  await using opened = await poolOf(remote('http', http.url), {}, ['modern']);
  const managed = opened.pool.get(NAME);
  const params = { name: 'query', arguments: { region: 'eu' } };
  const modern = { ...caller, era: 'modern' as const };
  await managed.refresh();
  await managed.request('tools/call', params, { caller: modern });

  server.mark();
  const result = await managed.request('tools/call', params, { caller: modern });

  expect(result).toEqual({ content: [] });
  expect(server.calls).toEqual([undefined, undefined, 'eu']);
  const other = { name: 'query', arguments: { region: 'us' } };
  await expect(managed.request('tools/call', other, { caller: modern })).rejects.toMatchObject({
    code: -32020,
  });
  expect(server.calls.slice(3)).toEqual(['us']);
});
