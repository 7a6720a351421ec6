import { request as httpRequest } from 'node:http';

import { afterEach, expect, test, vi } from 'vitest';

import { offlineSessions } from '../../../test/helpers/offline-sessions.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { silentLogger } from '../../core/index.js';
import { writeEventId } from './event-id.js';
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
  const { sessions } = await offlineSessions([], { dataDir: folder.path });
  const server = new HttpServer(sessions, {
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

test('a host that others can reach is served with a token', async () => {
  const { url } = await start({ host: '0.0.0.0', token: () => 'a-secret-of-sixteen-or-more' });

  expect(url).toContain('0.0.0.0');
});

test.each(['//', '//mcp', '/nothing', '*', 'http://['])(
  'the path %s is not found',
  async (path) => {
    const { url } = await start({});
    const { port } = new URL(url);

    const status = await new Promise((resolve, reject) => {
      const request = httpRequest({
        host: '127.0.0.1',
        port,
        path,
        headers: { host: 'localhost' },
      });
      request.once('response', (response) => resolve(response.resume().statusCode));
      request.once('error', reject);
      request.end();
    });

    expect(status).toBe(404);
  },
);

/** The body of an answer as JSON, with its status. */
async function refusalOf(response: Response) {
  const { error } = (await response.json()) as { error: { message: string } };
  return { status: response.status, message: error.message };
}

const limits = { httpClients: 2, httpRequests: 2, httpBodyBytes: 1_000_000 };

// covers: HTTP-BOUNDED
test('a session too many is refused until another one ends', async () => {
  const { url } = await start({ limits });
  const first = (await post(url, hello)).headers.get('mcp-session-id') ?? '';
  await post(url, hello);

  const refused = await refusalOf(
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(hello) }),
  );
  await fetch(url, { method: 'DELETE', headers: { ...headers, 'mcp-session-id': first } });

  expect(refused).toEqual({
    status: 503,
    message: expect.stringContaining('limits.httpClients') as string,
  });
  expect((await post(url, hello)).status).toBe(200);
});

test('a session that was idle for long makes room for a new one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { url } = await start({ limits });
  const idle = (await post(url, hello)).headers.get('mcp-session-id') ?? '';
  vi.advanceTimersByTime(61_000);
  const fresh = (await post(url, hello)).headers.get('mcp-session-id') ?? '';

  const another = await post(url, hello);

  expect(another.status).toBe(200);
  expect((await post(url, ping, idle)).status).toBe(404);
  expect((await post(url, ping, fresh)).status).toBe(200);
});

test('a clock that is set forward makes no session leave', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { url } = await start({ limits });
  for (let n = 0; n < limits.httpClients; n++) await post(url, hello);

  vi.advanceTimersByTime(61_000);

  expect((await post(url, hello)).status).toBe(503);
});

const STREAM = '0b5a7f0e-6f0e-4b57-9d53-2f6f0f6f1c11';

/** What a client of a former daemon sends to get the rest of an answer. */
const comeback = (lastEventId: string) => ({
  accept: 'text/event-stream',
  'mcp-session-id': STREAM,
  'last-event-id': lastEventId,
});

test.each([7, 'seven'])(
  'a client that comes back for the answer to call %j of a lost session gets an error for it',
  async (id) => {
    const { url } = await start({});

    const response = await fetch(url, { headers: comeback(writeEventId(STREAM, 1, id)) });

    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream',
    ]);
    const data = /^data: (.*)$/m.exec(await response.text())?.[1] ?? '';
    expect(JSON.parse(data)).toEqual({
      jsonrpc: '2.0',
      id,
      error: {
        code: -32_010,
        message: expect.stringContaining('may or may not have been carried out') as string,
        data: { retryable: false },
      },
    });
  },
);

test('any other request of a lost session is not found', async () => {
  const { url } = await start({});
  const call = comeback(writeEventId(STREAM, 1, 7));

  const responses = await Promise.all([
    fetch(url, { headers: comeback(writeEventId(STREAM, 1, undefined)) }),
    fetch(url, { headers: comeback(`${STREAM}_0000000001~<script>`) }),
    fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': STREAM } }),
    fetch(url, { headers: { ...call, accept: 'application/json' } }),
    fetch(url, { method: 'DELETE', headers: call }),
    fetch(url, { method: 'POST', headers: { ...headers, ...call }, body: JSON.stringify(ping) }),
  ]);

  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
});

test.each([
  ['no token', {}, 401],
  ['a wrong token', { authorization: 'Bearer wrong' }, 401],
  ['a foreign host', { authorization: 'Bearer right', host: 'evil.example' }, 403],
  ['a foreign origin', { authorization: 'Bearer right', origin: 'http://evil.example' }, 403],
  ['the token', { authorization: 'Bearer right' }, 200],
])('with %s, a client that comes back is answered as any other', async (_with, own, status) => {
  const { url } = await start({ token: () => 'right' });
  const sent = { ...comeback(writeEventId(STREAM, 1, 7)), ...own };

  const got = await new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers: sent }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.once('error', reject).end();
  });

  expect(got).toBe(status);
});

/** Begins a request and leaves its body unfinished. */
function unfinished(url: string, body: string): Promise<{ end(): void }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers });
    request.once('error', reject);
    request.write(body, () => resolve({ end: () => request.end() }));
  });
}

// covers: HTTP-BOUNDED
test('a request too many at the same time is refused until another one is answered', async () => {
  const { url, server } = await start({ limits });
  const others = [await unfinished(url, ' '), await unfinished(url, ' ')];
  await expect.poll(() => server.openRequests).toBe(2);

  const refused = await refusalOf(
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(hello) }),
  );
  for (const other of others) other.end();
  await expect.poll(() => server.openRequests).toBe(0);

  expect(refused).toEqual({
    status: 503,
    message: expect.stringContaining('limits.httpRequests') as string,
  });
  expect((await post(url, hello)).status).toBe(200);
});

// covers: HTTP-BOUNDED
test('bodies that are too large together are refused, and those before them served', async () => {
  const { url, server } = await start({ limits });
  const first = await unfinished(url, ' '.repeat(900_000));
  await expect.poll(() => server.openRequests).toBe(1);
  const padded = `${JSON.stringify(ping)}${' '.repeat(200_000)}`;
  const send = async () => (await fetch(url, { method: 'POST', headers, body: padded })).status;

  await expect.poll(send).toBe(503);
  first.end();
  await expect.poll(() => server.openRequests).toBe(0);

  // Read, and refused for want of a session.
  expect(await send()).toBe(400);
});

// covers: HTTP-BOUNDED
test.each([
  ['that says its length', (size: number) => Buffer.alloc(size, ' ')],
  ['that comes in pieces', (size: number) => new Blob([Buffer.alloc(size, ' ')]).stream()],
])('a body %s and exceeds the limit is refused as too large', async (_, bodyOf) => {
  const { url } = await start({ limits: { ...limits, httpBodyBytes: 1e9 } });
  const size = 33 * 1024 * 1024;
  const init = { method: 'POST', headers, body: bodyOf(size), duplex: 'half' } as RequestInit;

  const refused = await refusalOf(await fetch(url, init));

  expect(refused).toMatchObject({
    status: 413,
    message: expect.stringContaining('bytes') as string,
  });
});
