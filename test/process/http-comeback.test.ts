/** `pml serve --http`: what its clients find after the daemon behind it was killed or stopped. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { serveHttp } from '../helpers/http-gateway.js';
import { resultText } from '../helpers/sdk-client.js';
import { killIfAlive, plain, Workspace } from '../helpers/workspace.js';

const TOKEN = 'a-secret-of-sixteen-or-more';
const HEADERS = { authorization: `Bearer ${TOKEN}` };

let workspace: Workspace;
let http: Awaited<ReturnType<typeof serveHttp>>;

beforeEach(async () => {
  workspace = await Workspace.create({
    exposure: 'proxy',
    http: { token: TOKEN },
    mcpServers: { good: plain() },
  });
  http = await serveHttp(workspace);
});

afterEach(async () => {
  await http[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

async function connect(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  // The server says when to retry. A busy machine may need more retries than the usual two.
  const reconnectionOptions = {
    maxRetries: 30,
    initialReconnectionDelay: 1_000,
    maxReconnectionDelay: 1_000,
    reconnectionDelayGrowFactor: 1,
  };
  const options = { requestInit: { headers: HEADERS }, reconnectionOptions };
  await client.connect(new StreamableHTTPClientTransport(new URL(http.url), options));
  return client;
}

/** A call as any HTTP client makes it; rejects if the connection breaks during the answer. */
async function callSlow(session: string): Promise<string> {
  const params = { name: 'slow', arguments: { ms: 600_000 } };
  const response = await fetch(http.url, {
    method: 'POST',
    headers: {
      ...HEADERS,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params }),
  });
  return response.text();
}

/** Whether the address answers at all, whatever it says. */
async function isServed(): Promise<boolean> {
  try {
    const response = await fetch(new URL('/health', http.url), { headers: HEADERS });
    return response.ok;
  } catch {
    return false; // No process listens.
  }
}

test('[HTTP-COMES-BACK] serve --http starts a new daemon on the same address after kill -9', async () => {
  const before = await connect();
  const old = workspace.daemonPid();
  const open = callSlow(before.transport?.sessionId ?? '');
  await expect.poll(async () => (await workspace.server('good')).runningCalls).toBe(1);

  killIfAlive(old);

  await expect(open).rejects.toThrow(/terminated|fetch failed/);
  await expect.poll(isServed).toBe(true);
  expect(workspace.daemonPid()).not.toBe(old);
  const after = await connect();
  const echoed = await after.callTool({ name: 'echo', arguments: { text: 'back' } });
  expect(resultText(echoed)).toBe('back');
  await after.close();
});

test('[HTTP-COMES-BACK] pending calls of the SDK client fail with a warning that they may have happened', async () => {
  const client = await connect();
  const call = { name: 'slow', arguments: { ms: 600_000 } };
  const open = [1, 2].map(() =>
    client.callTool(call, { timeout: 600_000 }).catch((error: unknown) => error),
  );
  await expect.poll(async () => (await workspace.server('good')).runningCalls).toBe(2);

  killIfAlive(workspace.daemonPid());

  const lost = {
    code: -32_010,
    message: expect.stringContaining('may or may not have been carried out'),
  };
  expect(await Promise.all(open)).toMatchObject([lost, lost]);
  await client.close();
});

test('serve --http survives several kills in a row', async () => {
  for (let kill = 0; kill < 3; kill++) {
    const pid = workspace.daemonPid();
    killIfAlive(pid);
    await expect.poll(isServed).toBe(true);
    expect(workspace.daemonPid()).not.toBe(pid);
  }
});

test('serve --http does not bring a daemon back that pml stop ended, and says so', async () => {
  const { code } = await workspace.run('stop');

  expect(code).toBe(0);
  expect(await http.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('pml stop') });
  expect(workspace.daemonPid()).toBeUndefined();
});

test('serve --http keeps serving the same address after pml restart', async () => {
  const old = workspace.daemonPid();

  await workspace.run('restart');

  await expect.poll(isServed).toBe(true);
  expect(workspace.daemonPid()).not.toBe(old);
});
