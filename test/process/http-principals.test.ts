/** Clients over HTTP: access, and isolation of one client from another. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serveHttp } from '../helpers/http-gateway.js';
import { connectSdk, resultText } from '../helpers/sdk-client.js';
import { Workspace } from '../helpers/workspace.js';

const FIXTURE = fileURLToPath(new URL('../fixtures/secret-server.mjs', import.meta.url));
const secretServer = { command: process.execPath, args: [FIXTURE], isolation: 'per-client' };
const ERAS = ['legacy', 'modern'] as const;

type Served = Awaited<ReturnType<typeof serveHttp>>;
type Headers = Record<string, string>;

/** The header by which PML recognizes a stateless client. */
const known = (): Headers => ({ 'PML-Client': randomBytes(24).toString('base64url') });

async function connect(
  { url, headers }: Served,
  era: (typeof ERAS)[number],
  more: Headers = {},
): Promise<Client & AsyncDisposable> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { ...headers, ...more } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

async function call(client: Client, name: string, args: object = {}): Promise<string> {
  return resultText(await client.callTool({ name, arguments: { ...args } }));
}

const greeting = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  },
};

async function greet(url: string, headers: Headers): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(greeting),
  });
  await response.text();
  return response.status;
}

describe('a server with "isolation": "per-client"', () => {
  let workspace: Workspace;
  let http: Served;

  beforeAll(async () => {
    workspace = await Workspace.create({
      exposure: 'proxy',
      mcpServers: { vault: secretServer },
    });
    http = await serveHttp(workspace);
  });

  afterAll(async () => {
    await http[Symbol.asyncDispose]();
    await workspace[Symbol.asyncDispose]();
  });

  test('stateless clients that prove who they are each have a server of their own [HTTP-ISOLATED]', async () => {
    await using ann = await connect(http, 'modern', known());
    await using bob = await connect(http, 'modern', known());

    await call(ann, 'remember', { secret: 'ann’s secret' });

    expect(await call(bob, 'recall')).toBe('nothing');
    expect(await call(ann, 'recall')).toBe('ann’s secret');
  });

  test('stateless client without proof of identity is refused with a remedy [HTTP-ISOLATED]', async () => {
    await using ann = await connect(http, 'modern');
    await using bob = await connect(http, 'modern');

    const remembered = await call(ann, 'remember', { secret: 'ann’s secret' });

    expect(remembered).toMatch(/\[BAD_REQUEST\] .*per-client.*PML-Client/);
    expect(await call(bob, 'recall')).not.toContain('ann’s secret');
  });

  test('sessions each have a server of their own', async () => {
    await using ann = await connect(http, 'legacy');
    await using bob = await connect(http, 'legacy');

    await call(ann, 'remember', { secret: 'ann’s secret' });

    expect(await call(bob, 'recall')).toBe('nothing');
    expect(await call(ann, 'recall')).toBe('ann’s secret');
  });

  test('log messages of a per-client server reach no other client [HTTP-ISOLATED]', async () => {
    const [ann, bob] = [await workspace.connect(), await workspace.connect()];

    await ann.text('remember', { secret: 'ann’s secret' });
    await expect.poll(() => JSON.stringify(ann.notifications)).toContain('kept ann’s secret');
    await bob.text('recall');

    expect(JSON.stringify(bob.notifications)).not.toContain('ann’s secret');
  });

  test('identity header that is too short is refused', async () => {
    expect(await greet(http.url, { ...http.headers, 'PML-Client': 'me' })).toBe(400);
  });
});

describe('runs', () => {
  let workspace: Workspace;
  let http: Served;

  beforeAll(async () => {
    workspace = await Workspace.create({
      mcpServers: { vault: { ...secretServer, isolation: 'shared' } },
    });
    http = await serveHttp(workspace);
  });

  afterAll(async () => {
    await http[Symbol.asyncDispose]();
    await workspace[Symbol.asyncDispose]();
  });

  /** Starts a run that waits for approval; returns its id. */
  async function pausedRun(client: Client): Promise<string> {
    const tasks = [{ id: 'gone', tool: 'vault:delete_secret', args: {} }];
    const answer = await client.callTool({
      name: 'pml_execute_workflow',
      arguments: { tasks, intent: 'forget what ann said' },
    });
    const { status, run } = answer.structuredContent as { status: string; run: string };
    expect(status).toBe('needs_approval');
    return run;
  }

  test.each(ERAS)('runs of one %s client are not listed for another [RUN-OWNED]', async (era) => {
    const mine = known();
    await using ann = await connect(http, era, mine);
    await using bob = await connect(http, era);
    const run = await pausedRun(ann);

    const seen = await call(bob, 'pml_continue');
    const unknown = await call(bob, 'pml_continue', { run: 'run_guessed', decision: 'approve' });
    await using annAgain = await connect(http, era, mine);

    expect(seen).toMatch(/You have no unfinished run|PML cannot tell which runs are yours/);
    expect(unknown).toMatch(/\[RUN_UNKNOWN\] No run run_guessed/);
    expect(`${seen}${unknown}`).not.toMatch(/run_[\w-]{12}/);
    expect(await call(annAgain, 'pml_continue')).toContain(run);
    await call(ann, 'pml_continue', { run, decision: 'abort' });
  });

  test('runs of an HTTP client are not listed over stdio, nor the other way round [RUN-OWNED]', async () => {
    await using ann = await connect(http, 'legacy');
    await using stdio = await connectSdk(workspace);
    const run = await pausedRun(ann);
    const ownRun = await pausedRun(stdio);

    const overStdio = await call(stdio, 'pml_continue');
    const overHttp = await call(ann, 'pml_continue');

    expect(overStdio).toContain(ownRun);
    expect(overStdio).not.toContain(run);
    expect(overHttp).toContain(run);
    expect(overHttp).not.toContain(ownRun);
  });

  test('runs have ids of 128 bits; pml lists them and shows a run by its id prefix', async () => {
    await using ann = await connect(http, 'modern');
    const run = await pausedRun(ann);

    const listed = await workspace.run('runs');
    const shown = await workspace.run('show', run.slice(0, 12));

    expect(Buffer.from(run.slice('run_'.length), 'base64url')).toHaveLength(16);
    expect(listed.stdout).toContain(run);
    expect(shown.stdout).toContain('delete_secret');
  });

  test('client that knows the id can collect and decide a run after its session ended', async () => {
    const ann = await connect(http, 'legacy');
    const run = await pausedRun(ann);
    await ann.close();
    await using annAgain = await connect(http, 'legacy');

    const answer = await call(annAgain, 'pml_continue', { run, decision: 'approve' });

    expect(answer).toContain('deleted');
  });
});

describe('the token', () => {
  test('HTTP token is made at the first start, shown once, and required from then on [HTTP-TOKEN]', async () => {
    await using workspace = await Workspace.create({ mcpServers: {} });
    const first = await serveHttp(workspace);
    const token = first.headers['authorization']?.slice('Bearer '.length) ?? '';
    const status = [
      await greet(first.url, first.headers),
      await greet(first.url, {}),
      await greet(first.url, { authorization: `Bearer ${token}x` }),
      await greet(first.url, { authorization: token }),
    ];
    await first[Symbol.asyncDispose]();
    await using second = await serveHttp(workspace);

    expect(status).toEqual([200, 401, 401, 401]);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(first.printed).toContain(token);
    expect(second.printed).not.toContain(token);
    expect(second.headers).toEqual(first.headers);
    expect(statSync(join(workspace.dataDir, 'http-token')).mode & 0o777).toBe(0o600);
    expect(workspace.log).not.toContain(token);
  });

  test('HTTP token is optional on loopback if configured, and status and doctor say so [HTTP-TOKEN]', async () => {
    await using workspace = await Workspace.create({ mcpServers: {}, http: { token: false } });
    await using http = await serveHttp(workspace);

    const status = await greet(http.url, {});
    const told = await workspace.run('status');
    const judged = await workspace.run('doctor');

    expect(status).toBe(200);
    expect(http.printed).toContain('every program on this machine');
    expect(told.stdout).toContain('open without a token');
    expect(judged.stdout).toContain('http.token is false');
  });

  test('HTTP token cannot be disabled for a host that others reach', async () => {
    await using workspace = await Workspace.create({
      mcpServers: {},
      http: { token: false, host: '0.0.0.0' },
    });

    const { code, stderr } = await workspace.run('serve', '--http', '--port', '0');

    expect(code).not.toBe(0);
    expect(stderr).toContain('http.token cannot be false');
  });

  test('changed HTTP token takes effect at once', async () => {
    await using workspace = await Workspace.create({ mcpServers: {}, http: { token: false } });
    await using http = await serveHttp(workspace);
    const before = await greet(http.url, {});

    workspace.configure({ mcpServers: {}, http: { token: 'a-secret-of-sixteen-or-more' } });

    expect(before).toBe(200);
    await expect.poll(() => greet(http.url, {}), { timeout: 20_000 }).toBe(401);
    expect(await greet(http.url, { authorization: 'Bearer a-secret-of-sixteen-or-more' })).toBe(
      200,
    );
  });
});
