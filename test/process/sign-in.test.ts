/** Remote servers behind OAuth: from the first refusal to a sign-in that stays. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

import { describe, expect, test } from 'vitest';

import { login } from '../helpers/log-in.js';
import { type OAuthWorld, signInAsPerson, startOAuthWorld } from '../helpers/oauth-world.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

function workspaceOf(world: OAuthWorld, rest: Record<string, unknown> = {}, exposure = 'proxy') {
  return Workspace.create({
    exposure,
    logLevel: 'debug',
    mcpServers: { notes: { url: world.url, ...rest } },
  });
}

async function call(client: PmlClient, name: string, text = ''): Promise<string> {
  const answer = await client.request('tools/call', { name, arguments: { text } });
  return answer.error?.message ?? textOf(answer);
}

describe.each(['both', 'modern'] as const)('a server behind OAuth that speaks %s', (era) => {
  // covers: AUTH-SIGN-IN
  test('a server is called after one sign-in, and says before how to sign in', async () => {
    await using world = await startOAuthWorld({ era });
    await using workspace = await workspaceOf(world);
    const client = await workspace.connect();

    await expect
      .poll(async () => (await workspace.status()).servers[0]?.state)
      .toBe('needs_sign_in');
    const before = await call(client, 'notes__read', 'a');
    const signedIn = await login(workspace);
    await expect.poll(async () => (await workspace.status()).servers[0]?.tools).toBe(2);
    const after = await call(client, 'notes__read', 'a');

    expect(before).toContain('pml auth login notes');
    expect(signedIn).toEqual({
      code: 0,
      output: expect.stringContaining('signed in to notes') as string,
    });
    expect(after).toBe('read a');
    expect([...world.tokenRequests]).toEqual([['authorization_code', 1]]);
  });
});

async function signedIn(world: OAuthWorld, rest: Record<string, unknown> = {}, exposure = 'proxy') {
  const workspace = await workspaceOf(world, rest, exposure);
  const client = await workspace.connect();
  const { output } = await login(workspace);
  expect(output).toContain('signed in to notes');
  await expect.poll(async () => (await workspace.status()).servers[0]?.tools).toBe(2);
  return { workspace, client };
}

const refreshes = (world: OAuthWorld) => world.tokenRequests.get('refresh_token') ?? 0;

describe('an access token that expires', () => {
  // covers: AUTH-ONE-REFRESH
  test('200 parallel calls across the expiry all succeed with one refresh, three times', async () => {
    await using world = await startOAuthWorld();
    const { workspace, client } = await signedIn(world, { maxConcurrency: 200 });
    await using _ended = workspace;

    const rounds: unknown[] = [];
    for (let round = 0; round < 3; round++) {
      const before = refreshes(world);
      const early = Array.from({ length: 100 }, () => call(client, 'notes__read', 'x'));
      world.expireAll();
      const late = Array.from({ length: 100 }, () => call(client, 'notes__read', 'x'));
      const answers = await Promise.all([...early, ...late]);
      const succeeded = answers.filter((answer) => answer === 'read x').length;
      rounds.push({ succeeded, refreshes: refreshes(world) - before });
    }

    expect(rounds).toEqual(Array(3).fill({ succeeded: 200, refreshes: 1 }));
  });

  // covers: AUTH-KILL
  test('a daemon killed between the token answer and its use stays signed in', async () => {
    await using world = await startOAuthWorld();
    const { workspace, client } = await signedIn(world);
    await using _ended = workspace;

    for (let round = 0; round < 3; round++) {
      const { pid } = await workspace.status();
      world.expireAll();
      // The server has the new token in its hands and has not answered.
      world.onNewToken = () => {
        world.onNewToken = undefined;
        process.kill(pid, 'SIGKILL');
      };
      await call(client, 'notes__read', 'lost');
      expect(await call(client, 'notes__read', 'again')).toBe('read again');
    }

    expect([...world.tokenRequests]).toEqual([
      ['authorization_code', 1],
      ['refresh_token', 3],
    ]);
  });

  // covers: AUTH-PASSING
  test('an authorization server that fails for a while signs no user out', async () => {
    await using world = await startOAuthWorld();
    const { workspace, client } = await signedIn(world);
    await using _ended = workspace;
    world.expireAll();
    world.failTokens = () => ({ status: 503, body: '<html>down for maintenance</html>' });

    const during = await call(client, 'notes__read', 'a');
    world.failTokens = undefined;
    const after = await call(client, 'notes__read', 'a');

    expect(during).toMatch(/could not be renewed.*stays signed in/);
    expect(after).toBe('read a');
  });

  test('a grant that was revoked leads to needs_sign_in, and the next sign-in repairs it', async () => {
    await using world = await startOAuthWorld();
    const { workspace, client } = await signedIn(world);
    await using _ended = workspace;
    world.expireAll();
    world.failTokens = (grant) =>
      grant === 'refresh_token' ? { status: 400, body: '{"error":"invalid_grant"}' } : undefined;

    const refused = await call(client, 'notes__read', 'a');
    const { servers } = await workspace.status();
    world.failTokens = undefined;
    await login(workspace);

    expect(refused).toContain('pml auth login notes');
    expect(servers[0]?.state).toBe('needs_sign_in');
    expect(await call(client, 'notes__read', 'a')).toBe('read a');
  });
});

describe('a client whose user has to sign in', () => {
  // covers: AUTH-RUN-WAITS
  test('a run waits for the sign-in and resumes by itself', async () => {
    await using world = await startOAuthWorld();
    const { workspace, client } = await signedIn(world, {}, 'meta');
    await using _ended = workspace;
    await workspace.run('auth', 'logout', 'notes');
    world.expireAll();
    const tasks = [
      { id: 'a', tool: 'notes:read', args: { text: 'one' } },
      { id: 'b', tool: 'notes:write', args: { text: 'two' }, needs: ['a'] },
    ];

    const paused = await client.request('tools/call', {
      name: 'pml_execute_workflow',
      arguments: { tasks },
    });
    expect(textOf(paused)).toContain('pml auth login notes');
    const calls = world.calls;
    await login(workspace);
    await expect.poll(() => world.calls).toBe(calls + 2);

    const { stdout } = await workspace.run('runs', '--json');
    expect(stdout).toContain('"completed"');
  });

  // covers: AUTH-PAGE
  test('a client that opens pages is sent to the address, and its call goes on', async () => {
    await using world = await startOAuthWorld();
    const { workspace } = await signedIn(world);
    await using _ended = workspace;
    await workspace.run('auth', 'logout', 'notes');
    const client = await workspace.connect({
      capabilities: { elicitation: { form: {}, url: {} } },
      answer: async ({ params }) => {
        await signInAsPerson(String(params?.['url']));
        return { action: 'accept' };
      },
    });

    const answer = await call(client, 'notes__read', 'page');

    expect(answer).toBe('read page');
    expect(client.asked).toMatchObject([{ method: 'elicitation/create', params: { mode: 'url' } }]);
  });

  test('pml auth logout says that the authorization server revoked the tokens', async () => {
    await using world = await startOAuthWorld();
    const { workspace } = await signedIn(world);
    await using _ended = workspace;

    const out = await workspace.run('auth', 'logout', 'notes');
    const again = await workspace.run('auth', 'logout', 'notes');

    expect(out.stdout).toBe(
      'PML is signed out of notes.\nThe authorization server revoked the tokens.\n',
    );
    expect(again.stdout).toBe('PML was not signed in to notes.\n');
    expect(await Promise.all([...world.issued].map((token) => world.isValid(token)))).not.toContain(
      true,
    );
  });

  // covers: AUTH-CANARY
  test('no token is in any file but the store of tokens, nor in any message', async () => {
    await using world = await startOAuthWorld();
    const { workspace, client } = await signedIn(world);
    await using _ended = workspace;
    const shown: string[] = [];
    const show = async (...args: string[]) => {
      const { stdout, stderr } = await workspace.run(...args);
      shown.push(stdout, stderr);
    };
    world.expireAll();
    shown.push(await call(client, 'notes__read', 'x'));
    world.expireAll();
    world.failTokens = (grant) => ({
      status: 400,
      body: `{"error":"x","error_description":"${[...world.issued].join(' ')} ${grant}"}`,
    });
    shown.push(await call(client, 'notes__read', 'x'));
    world.failTokens = undefined;
    shown.push(await call(client, 'notes__read', 'x'));
    for (const args of [
      ['auth', 'status', '--json'],
      ['status', '--json'],
      ['doctor'],
      ['logs', '-n', '500'],
      ['runs', '--json'],
    ]) {
      await show(...args);
    }
    shown.push(JSON.stringify(client.notifications));

    const leaks = [...world.issued].flatMap((token) => [
      ...shown.filter((text) => text.includes(token)),
      ...filesWith(workspace.path, token).filter(
        (path) => !/^[^/]*\/?sign-ins\/|\/sign-ins\//.test(path),
      ),
    ]);
    const kept = filesWith(workspace.path, [...world.issued].at(-1) ?? '');

    expect(world.issued.size).toBeGreaterThanOrEqual(6);
    expect(leaks).toEqual([]);
    expect(kept).toHaveLength(1);
    expect(statSync(join(workspace.path, kept[0] ?? '')).mode & 0o777).toBe(0o600);
    expect(statSync(join(workspace.path, kept[0] ?? '', '..')).mode & 0o777).toBe(0o700);
  });

  test('a person on another machine pastes the address that the browser ends at', async () => {
    await using world = await startOAuthWorld();
    await using workspace = await workspaceOf(world);
    await workspace.connect();

    const { code, output } = await login(workspace, async (address, type) => {
      type('http://127.0.0.1:1/callback?code=a&state=b');
      type(await signInAsPerson(address, { follow: false }));
    });

    expect(output).toContain('its state is another one');
    expect(code).toBe(0);
  });
});

/** Paths below a folder whose files hold a text. */
function filesWith(folder: string, text: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => readFileSync(join(folder, path)).includes(text));
}
