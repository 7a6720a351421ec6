/** What a token that names some servers, or reading alone, hides and refuses. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { askDaemon } from '../../src/daemon/index.js';
import { serveHttp } from '../helpers/http-gateway.js';
import { type OAuthWorld, startOAuthWorld } from '../helpers/oauth-world.js';
import { bearerClient, type TokenClient, tokenClient } from '../helpers/token-client.js';
import { fixtureServer, plain, Workspace } from '../helpers/workspace.js';

const SKILLS = fileURLToPath(new URL('../fixtures/skills-server.mjs', import.meta.url));
const SKILL = 'skill://shop/refunds/SKILL.md';

let world: OAuthWorld;
let workspace: Workspace;
let http: Awaited<ReturnType<typeof serveHttp>>;

/** Every way in which a client can call a tool. */
const waysToCall = (client: TokenClient, tool: string, args: object) => {
  const [server = '', name = ''] = tool.split(':');
  const code = `return await mcp.${server}.${name}(${JSON.stringify(args)});`;
  return Promise.all([
    client.call(`${server}__${name}`, args),
    client.call('pml_execute_workflow', { tasks: [{ tool, args }] }),
    client.call('pml_execute_code', { code }),
    client.call('pml_read', { code }),
  ]);
};

beforeAll(async () => {
  world = await startOAuthWorld();
  workspace = await Workspace.create('{}');
  workspace.configure({
    exposure: { mode: 'hybrid', pin: ['*'] },
    permissions: { allow: ['*'] },
    mcpServers: {
      files: fixtureServer('plain-server.mjs', { LEDGER: join(workspace.path, 'ledger') }),
      other: plain(),
      shop: { command: process.execPath, args: [SKILLS], env: { NAME: 'shop' } },
      notes: { url: world.url },
    },
  });
  http = await serveHttp(workspace);
});

afterAll(async () => {
  await http[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

// covers: HTTP-NARROW
describe('a token that may only read', () => {
  test('writing tools are neither listed nor found, and every way to call one is refused', async () => {
    const reader = await tokenClient(workspace, http, 'reader', '--read-only');

    const listed = (await reader.ask('tools/list')).body;
    const found = await reader.call('pml_discover', { pattern: '*', limit: 50 });
    const written = await waysToCall(reader, 'files:effect', { key: 'never' });
    const read = await waysToCall(reader, 'files:echo', { text: 'read this' });

    expect(listed).toContain('files__echo');
    expect(listed).not.toContain('files__effect');
    expect(found).toContain('files:echo');
    expect(found).not.toContain('files:effect');
    for (const answer of written) expect(answer).toMatch(/TOOL_DENIED|TOOL_UNKNOWN|Unknown tool/);
    for (const answer of read) expect(answer).toContain('read this');
    expect(existsSync(join(workspace.path, 'ledger'))).toBe(false);
  });
});

describe('a token with an end', () => {
  test('it is accepted before its end and refused after it', async () => {
    const made = await askDaemon(workspace.dataDir, 'token-create', {
      name: 'soon',
      expiresInMs: 1_500,
    });
    const { token } = made as unknown as { token: string };
    const client = bearerClient(http.url, token);

    const before = await client.ask('tools/list');
    await expect
      .poll(async () => (await client.ask('tools/list')).status, { timeout: 10_000 })
      .toBe(401);
    const refused = await client.ask('tools/call', {
      name: 'files__echo',
      arguments: { text: 'late' },
    });

    expect(before.status).toBe(200);
    expect(refused.status).toBe(401);
    expect(refused.body).not.toContain('late');
  });

  test('a time that is none is refused with an example', async () => {
    const flags = ['--name', 'never', '--expires', 'tomorrow'];
    const { code, stderr } = await workspace.run('token', 'create', ...flags);

    expect(code).not.toBe(0);
    expect(stderr).toContain('90m, 12h, 30d or 4w');
  });
});

describe('a token for some servers', () => {
  test('instructions name a pending sign-in only to clients that see the server', async () => {
    const files = await tokenClient(workspace, http, 'files', '--servers', 'files');
    const notes = await tokenClient(workspace, http, 'notes', '--servers', 'notes');
    await expect
      .poll(async () => (await workspace.server('notes')).state, { timeout: 20_000 })
      .toBe('needs_sign_in');

    const [ofFiles, ofNotes] = await Promise.all(
      [files, notes].map(async (client) => (await client.ask('server/discover')).body),
    );
    const found = await files.call('pml_discover', { intent: 'read a note' });

    expect(ofNotes).toContain('pml auth login notes');
    expect(ofFiles).not.toContain('pml auth login');
    expect(`${ofFiles}${found}`).not.toMatch(/notes|other|shop/);
  });

  test('skills and resources of other servers are neither listed nor read', async () => {
    const files = await tokenClient(workspace, http, 'skill-less', '--servers', 'files');
    const own = await workspace.connect();
    const all = JSON.stringify((await own.request('skills/list')).result);

    const listed = (await files.ask('resources/list')).body;
    const skills = (await files.ask('skills/list')).body;
    const read = await Promise.all(
      [SKILL, 'pml://other/plain://fast'].map((uri) => files.ask('resources/read', { uri })),
    );

    expect(all).toContain(SKILL);
    expect(listed).not.toMatch(/skill:|shop|other/);
    expect(skills).not.toContain(SKILL);
    for (const { body } of read) expect(body).toContain('"error"');
  });
});
