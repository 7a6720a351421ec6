/** Two gateways on one PostgreSQL have one sign-in, and renew its tokens once. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';

import { login } from '../helpers/log-in.js';
import { type OAuthWorld, startOAuthWorld } from '../helpers/oauth-world.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { startPostgres } from '../helpers/postgres-server.js';
import { Workspace } from '../helpers/workspace.js';

const server = await startPostgres();
const url = typeof server === 'string' ? '' : server.url;
afterAll(async () => {
  if (typeof server !== 'string') await server[Symbol.asyncDispose]();
});

const SECRET = 'a-secret-that-both-gateways-are-given';
const SOON = { timeout: 30_000, interval: 100 };
const refreshes = (world: OAuthWorld) => world.tokenRequests.get('refresh_token') ?? 0;

async function gateway(
  world: OAuthWorld,
  config: Record<string, unknown>,
  variables: Record<string, string> = {},
): Promise<Workspace> {
  const workspace = await Workspace.create({}, { variables, isNew: true });
  workspace.configure({
    exposure: 'proxy',
    database: url,
    dataDir: workspace.dataDir,
    mcpServers: { notes: { url: world.url, maxConcurrency: 200 } },
    ...config,
  });
  return workspace;
}

async function call(client: PmlClient, text: string): Promise<string> {
  const answer = await client.request('tools/call', { name: 'notes__read', arguments: { text } });
  return answer.error?.message ?? textOf(answer);
}

const toolsOf = async (workspace: Workspace) => (await workspace.server('notes')).tools;
const stateOf = async (workspace: Workspace) => (await workspace.server('notes')).state;

describe.skipIf(typeof server === 'string')('gateways on one PostgreSQL database', () => {
  // covers: AUTH-SHARED
  test('one sign-in serves both, and parallel calls across the expiry renew it once', async () => {
    await using world = await startOAuthWorld();
    await using one = await gateway(world, { signInKey: SECRET });
    await using other = await gateway(world, { signInKey: SECRET });
    const clients = [await one.connect(), await other.connect()];
    await expect.poll(() => stateOf(other), SOON).toBe('needs_sign_in');

    expect((await login(one)).output).toContain('signed in to notes');
    await expect.poll(() => toolsOf(other), SOON).toBe(2);
    const rounds: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const before = refreshes(world);
      const ask = () =>
        clients.flatMap((client) => Array.from({ length: 50 }, () => call(client, 'x')));
      const early = ask();
      world.expireAll();
      const answers = await Promise.all([...early, ...ask()]);
      const succeeded = answers.filter((answer) => answer === 'read x').length;
      rounds.push({ succeeded, refreshes: refreshes(world) - before });
    }

    expect(rounds).toEqual(Array(3).fill({ succeeded: 200, refreshes: 1 }));
    expect(await tokensInDatabase(world)).toEqual([]);
    expect(tokensInFiles(world, [one, other])).toEqual([]);
    const { stdout } = await one.run('auth', 'status', '--json');
    expect(stdout).toContain('encrypted');

    await one.run('auth', 'logout', 'notes');
    world.expireAll();
    expect(await call(clients[1]!, 'x')).toContain('pml auth login notes');
  });

  test('gateways of one user share a key that PML makes, and another user needs a sign-in', async () => {
    await using world = await startOAuthWorld();
    const home = await mkdtemp('/tmp/pml-process-home-');
    try {
      await using one = await gateway(world, {}, { PML_HOME: home });
      await using other = await gateway(world, {}, { PML_HOME: home });
      await using stranger = await gateway(world, {});
      const [client] = await Promise.all([one.connect(), other.connect(), stranger.connect()]);

      await login(one);
      await expect.poll(() => toolsOf(other), SOON).toBe(2);
      world.expireAll();
      const answers = await Promise.all([call(client, 'a'), call(await other.connect(), 'b')]);

      expect(answers).toEqual(['read a', 'read b']);
      expect(refreshes(world)).toBe(1);
      expect(await stateOf(stranger)).toBe('needs_sign_in');
      expect(readdirSync(join(home, 'sign-in-keys'))).toHaveLength(1);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });
});

async function tokensInDatabase(world: OAuthWorld): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ text: string }>(
    `select encode(sealed, 'escape') || id as text from sign_in where sealed is not null`,
  );
  await client.end();
  expect(rows.length).toBeGreaterThan(0);
  const hidden = [...world.issued, world.url, SECRET];
  return hidden.filter((text) => rows.some((row) => row.text.includes(text)));
}

function tokensInFiles(world: OAuthWorld, workspaces: readonly Workspace[]): readonly string[] {
  const files = workspaces.flatMap(({ path }) =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return files.filter((file) => {
    const content = readFileSync(file);
    return [...world.issued].some((token) => content.includes(token));
  });
}
