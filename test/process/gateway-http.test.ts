/** Streamable HTTP: access, sessions, and clients that reconnect. */
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serveHttp } from '../helpers/http-gateway.js';
import { answerEverything, ALL_CAPABILITIES, resultText } from '../helpers/sdk-client.js';
import { Workspace } from '../helpers/workspace.js';

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url));
const TOKEN = 'a-secret-of-sixteen-or-more';
const talk = {
  command: process.execPath,
  args: [join(FIXTURES, 'talkative-server.mjs'), 'legacy'],
};

let workspace: Workspace;
let http: Awaited<ReturnType<typeof serveHttp>>;

beforeAll(async () => {
  workspace = await Workspace.create({
    exposure: 'proxy',
    http: { token: TOKEN, allowedHosts: ['pml.internal'] },
    mcpServers: { talk },
  });
  http = await serveHttp(workspace);
});

afterAll(async () => {
  await http[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** Unlike `fetch`, this may send any Host. */
function send(headers: Record<string, string>, body?: object, method = 'POST'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(http.url, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    request.once('error', reject);
    request.end(body && JSON.stringify(body));
  });
}

const authorized = {
  authorization: `Bearer ${TOKEN}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  },
};

async function openSession(): Promise<Record<string, string>> {
  const { headers } = await send(authorized, initialize);
  return { ...authorized, 'mcp-session-id': String(headers['mcp-session-id']) };
}

async function connect(era: 'legacy' | 'modern'): Promise<Client & AsyncDisposable> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: ALL_CAPABILITIES, versionNegotiation: { mode } },
  );
  answerEverything(client);
  const requestInit = { headers: { authorization: `Bearer ${TOKEN}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

describe('who may come in', () => {
  test.each([
    ['no token', { authorization: '' }, 401],
    ['a wrong token', { authorization: `Bearer ${TOKEN}x` }, 401],
    ['another host', { host: 'evil.example' }, 403],
    ['a page of another origin', { origin: 'http://evil.example' }, 403],
    ['a host the user allowed', { host: 'pml.internal' }, 200],
    ['a page of this machine', { origin: 'http://localhost:3000' }, 200],
  ])('HTTP access check gives the right status for %s', async (_who, headers, status) => {
    const reply = await send({ ...authorized, ...headers }, initialize);

    expect(reply.status).toBe(status);
    expect(reply.body).not.toContain(TOKEN);
  });
});

describe('sessions', () => {
  test('unknown or ended session is not found', async () => {
    const session = await openSession();
    const ping = { jsonrpc: '2.0', id: 2, method: 'ping' };

    const unknown = await send({ ...authorized, 'mcp-session-id': 'nobody' }, ping);
    const alive = await send(session, ping);
    await send(session, undefined, 'DELETE');
    const ended = await send(session, ping);

    expect([unknown.status, alive.status, ended.status]).toEqual([404, 200, 404]);
  });

  test('request without a session is refused', async () => {
    const { status } = await send(authorized, { jsonrpc: '2.0', id: 2, method: 'tools/list' });

    expect(status).toBe(400);
  });

  test('refused initialize request leaves no client behind', async () => {
    const before = (await workspace.status()).clients.length;

    const { status } = await send({ ...authorized, accept: 'application/json' }, initialize);

    expect(status).toBe(406);
    expect((await workspace.status()).clients).toHaveLength(before);
  });

  test('a body that is not JSON is a parse error', async () => {
    const { status, body } = await send(authorized);

    expect(status).toBe(400);
    expect(body).toContain('-32700');
  });

  test('PML resends the events that a client missed when its stream broke', async () => {
    const session = await openSession();
    const call = {
      jsonrpc: '2.0',
      id: 5,
      method: 'tools/call',
      params: { name: 'progress', arguments: {}, _meta: { progressToken: 't' } },
    };

    const { body } = await send(session, call);
    const ids = [...body.matchAll(/^id: (.+)$/gm)].map(([, id]) => id ?? '');
    const replay = await firstEvents({ ...session, 'last-event-id': ids[0] ?? '' }, ids.length - 1);

    expect(ids.length).toBeGreaterThan(3);
    expect([...replay.matchAll(/^id: (.+)$/gm)].map(([, id]) => id)).toEqual(ids.slice(1));
    expect(replay).toContain('"done"');
  });
});

/** Reads an open stream until it has this many events. */
function firstEvents(headers: Record<string, string>, count: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(http.url, { method: 'GET', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if ((text.match(/^data: .*\n\n/gm) ?? []).length < count) return;
        request.destroy();
        resolve(text);
      });
    });
    request.once('error', reject);
    request.end();
  });
}

describe.each(['legacy', 'modern'] as const)('the official client of the %s era', (era) => {
  test('official client lists, calls, answers a question, and reads', async () => {
    await using client = await connect(era);

    const { tools } = await client.listTools();
    const asked = await client.callTool({
      name: 'ask',
      arguments: { method: 'elicitation/create' },
    });
    const { contents } = await client.readResource({ uri: 'talk://note' });

    expect(tools.map(({ name }) => name)).toContain('rows');
    expect(resultText(asked)).toContain('"colour":"blue"');
    expect(contents).toHaveLength(1);
  });
});

test('two concurrent stateless clients never get each other’s questions', async () => {
  await using one = await connect('modern');
  await using other = await connect('modern');
  const stop = new AbortController();
  const begun = new Promise<void>((resolve) => {
    const options = { signal: stop.signal, onprogress: () => resolve() };
    one.callTool({ name: 'wait', arguments: {} }, options).catch(() => {}); // Ended below.
  });
  await begun;

  const asked = await other
    .callTool({ name: 'ask', arguments: { method: 'elicitation/create' } })
    .catch(String);

  expect(JSON.stringify(asked)).toContain('several clients have calls running');
  stop.abort();
});
