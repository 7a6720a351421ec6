/** Clients of our HTTP endpoint with tokens of their own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { serveHttp } from '../helpers/http-gateway.js';
import { plain, Workspace } from '../helpers/workspace.js';

type Served = Awaited<ReturnType<typeof serveHttp>>;

/** An issuer with one key. */
async function startIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const server = createServer((request, response) => {
    const body = request.url?.includes('/keys')
      ? { keys: [jwk] }
      : request.url === '/.well-known/oauth-authorization-server'
        ? {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/keys`,
            response_types_supported: ['code'],
          }
        : undefined;
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sign = (
    claims: Record<string, unknown>,
    changes: { audience?: string; by?: string } = {},
  ) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(changes.by ?? issuer)
      .setAudience(changes.audience ?? 'pml')
      .setExpirationTime('5m')
      .sign(privateKey);
  return { issuer, sign, [Symbol.asyncDispose]: async () => void server.close() };
}

let issuer: Awaited<ReturnType<typeof startIssuer>>;
let workspace: Workspace;
let http: Served;
const tokens = new Map<string, string>();

beforeAll(async () => {
  issuer = await startIssuer();
  workspace = await Workspace.create({
    exposure: 'hybrid',
    mcpServers: { notes: plain(), files: plain() },
    profiles: { small: { servers: ['files'] } },
    http: { auth: { issuer: issuer.issuer, audience: 'pml', scopes: ['mcp'], servers: ['files'] } },
  });
  http = await serveHttp(workspace);
  for (const [name, ...flags] of [
    ['ci', '--servers', 'notes*'],
    ['other', '--servers', '*'],
    ['narrow', '--profile', 'small'],
    ['reader', '--read-only', '--expires', '30d'],
  ] as const) {
    const { stdout } = await workspace.run('token', 'create', '--name', name, ...flags, '--json');
    tokens.set(name, (JSON.parse(stdout) as { token: string }).token);
  }
});

afterAll(async () => {
  await http[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

interface Answered {
  readonly status: number;
  readonly challenge: string | null;
  readonly body: string;
}

/** One request of the stateless revision. */
async function ask(bearer: string, method: string, params: object = {}): Promise<Answered> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
  };
  const { name, taskId } = params as { name?: string; taskId?: string };
  const response = await fetch(http.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...((name ?? taskId) !== undefined && { 'mcp-name': name ?? taskId ?? '' }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  });
  const challenge = response.headers.get('www-authenticate');
  return { status: response.status, challenge, body: await response.text() };
}

const named = (name: string) => tokens.get(name) ?? '';
const call = (bearer: string, name: string, args: object) =>
  ask(bearer, 'tools/call', { name, arguments: args });
const runIn = ({ body }: Answered) => /run_[\w-]+/.exec(body)?.[0] ?? '';
const execute = (bearer: string, tool: string, args: object = {}) =>
  call(bearer, 'pml_execute_workflow', { tasks: [{ tool, args }] });

// covers: HTTP-NAMED-TOKENS
describe('a client with a token of its own', () => {
  test('its token is stored as a hash, listed without its secret, and shown once', async () => {
    const { stdout } = await workspace.run('token', 'list');

    expect(stdout).toMatch(
      /ci: uses notes\*; does not expire\n.*other.*\nnarrow: uses \* in profile small;.*\nreader: reads \*; until /,
    );
    for (const token of tokens.values()) expect(stdout).not.toContain(token);
  });

  test('it calls the servers of its token, and is denied all others', async () => {
    const own = await execute(named('ci'), 'notes:echo', { text: 'mine' });
    const foreign = await execute(named('ci'), 'files:echo', { text: 'theirs' });
    const found = await call(named('ci'), 'pml_discover', { pattern: '*' });

    expect(own.body).toContain('mine');
    expect(foreign.body).toMatch(/TOOL_DENIED|TOOL_UNKNOWN/);
    expect(found.body).toContain('notes:');
    expect(found.body).not.toContain('files:');
  });

  test('the profile of its token narrows what it finds and calls', async () => {
    const own = await execute(named('narrow'), 'files:echo', { text: 'mine' });
    const foreign = await execute(named('narrow'), 'notes:echo', { text: 'theirs' });
    const found = await call(named('narrow'), 'pml_discover', { pattern: '*' });

    expect(own.body).toContain('mine');
    expect(foreign.body).toMatch(/TOOL_DENIED|TOOL_UNKNOWN/);
    expect(found.body).toContain('files:');
    expect(found.body).not.toContain('notes:');
  });

  test('a token for a profile that the configuration lacks is refused with the names that exist', async () => {
    const { code, stderr } = await workspace.run(
      'token',
      'create',
      '--name',
      'lost',
      '--profile',
      'smal',
    );

    expect(code).not.toBe(0);
    expect(stderr).toMatch(/no profile "smal"; there are small/);
  });

  test('the task of its run does not exist for another token', async () => {
    const run = runIn(await execute(named('ci'), 'notes:echo', { text: 'secret' }));
    const taskFor = async (bearer: string) =>
      (await ask(bearer, 'tasks/get', { taskId: `${run}.0123456789ab` })).body;

    const foreign = await taskFor(named('other'));
    const own = await taskFor(named('ci'));

    expect(foreign).toContain('No such task');
    expect(own).toContain('"status":"completed"');
  });

  // covers: HTTP-OWN-RUNS
  test('its run does not exist for another token, and exists for itself and the user', async () => {
    const run = runIn(await execute(named('ci'), 'notes:echo', { text: 'secret' }));
    const seenBy = async (bearer: string) =>
      (await call(bearer, 'pml_continue', { run, decision: 'wait' })).body;

    expect(run).not.toBe('');
    expect(await seenBy(named('ci'))).toContain('secret');
    expect(await seenBy(named('other'))).toContain('RUN_UNKNOWN');
    expect(await seenBy(named('other'))).not.toContain('secret');
    const users = /Bearer (.*)/.exec(http.headers['authorization'] ?? '')?.[1] ?? '';
    expect(await seenBy(users)).toContain('RUN_UNKNOWN');
    expect((await workspace.run('show', run)).stdout).toContain('secret');
  });

  test('a revoked token is refused at once', async () => {
    await workspace
      .run('token', 'create', '--name', 'short', '--json')
      .then(({ stdout }) => tokens.set('short', (JSON.parse(stdout) as { token: string }).token));
    const before = await ask(named('short'), 'tools/list');
    await workspace.run('token', 'revoke', 'short');
    const after = await ask(named('short'), 'tools/list');

    expect([before.status, after.status]).toEqual([200, 401]);
  });
});

// covers: HTTP-JWT
describe('a client with a token of the issuer', () => {
  test('the metadata document and the challenge lead to the issuer', async () => {
    const refused = await ask('nothing', 'tools/list');
    const address = /resource_metadata="([^"]+)"/.exec(refused.challenge ?? '')?.[1] ?? '';
    const document = (await (await fetch(address)).json()) as Record<string, unknown>;

    expect(refused.status).toBe(401);
    expect(document).toMatchObject({ authorization_servers: [issuer.issuer], resource: http.url });
  });

  test('a good token is accepted for the servers of the setting alone', async () => {
    const good = await issuer.sign({ sub: 'ada', scope: 'mcp' });

    expect((await execute(good, 'files:echo', { text: 'hello' })).body).toContain('hello');
    expect((await execute(good, 'notes:echo', { text: 'x' })).body).toMatch(
      /TOOL_DENIED|TOOL_UNKNOWN/,
    );
  });

  test('a token without the scope is answered with 403 insufficient_scope', async () => {
    const answer = await ask(await issuer.sign({ sub: 'ada' }), 'tools/list');

    expect(answer.status).toBe(403);
    expect(answer.challenge).toContain('error="insufficient_scope", scope="mcp"');
  });

  test.each([
    ['another audience', () => issuer.sign({ sub: 'a', scope: 'mcp' }, { audience: 'bank' })],
    [
      'another issuer',
      () => issuer.sign({ sub: 'a', scope: 'mcp' }, { by: 'https://evil.example' }),
    ],
    ['no subject', () => issuer.sign({ scope: 'mcp' })],
    [
      'another signature',
      async () => `${(await issuer.sign({ sub: 'a', scope: 'mcp' })).slice(0, -8)}AAAAAAAA`,
    ],
  ])('a token with %s is refused', async (_, make) => {
    expect((await ask(await make(), 'tools/list')).status).toBe(401);
  });

  test('a run of one subject does not exist for another', async () => {
    const [ada, bob] = await Promise.all(
      ['ada', 'bob'].map((sub) => issuer.sign({ sub, scope: 'mcp' })),
    );
    const run = runIn(await execute(ada ?? '', 'files:echo', { text: 'of ada' }));

    const answer = await call(bob ?? '', 'pml_continue', { run, decision: 'wait' });

    expect(run).not.toBe('');
    expect(answer.body).toContain('RUN_UNKNOWN');
  });
});
