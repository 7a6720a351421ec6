/** Remote servers behind OAuth: from the first refusal to a sign-in that stays. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { describe, expect, test } from 'vitest';

import { relayCommand } from '../helpers/http-gateway.js';
import { type OAuthWorld, signInAsPerson, startOAuthWorld } from '../helpers/oauth-world.js';
import { type PmlClient, textOf } from '../helpers/pml-client.js';
import { Workspace } from '../helpers/workspace.js';

function workspaceOf(world: OAuthWorld, rest: Record<string, unknown> = {}) {
  return Workspace.create({
    exposure: 'proxy',
    logLevel: 'debug',
    mcpServers: { notes: { url: world.url, ...rest } },
  });
}

/** Runs `pml auth login`, and does what a person does with the address that it prints. */
async function login(
  workspace: Workspace,
  person: (address: string, type: (line: string) => void) => Promise<unknown> = (address) =>
    signInAsPerson(address),
  flags: readonly string[] = ['--no-browser'],
): Promise<{ code: number | null; output: string }> {
  const { command, args, env } = relayCommand(workspace);
  const [cli = '', , ...config] = args;
  const child = spawn(command, [cli, 'auth', 'login', 'notes', ...flags, ...config], { env });
  let output = '';
  let isSent = false;
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`;
    const address = /^\s+(https?:\S+)$/.exec(line)?.[1];
    if (address === undefined || isSent) return;
    isSent = true;
    person(address, (typed) => child.stdin.write(`${typed}\n`)).catch((error: unknown) => {
      output += String(error);
      child.kill();
    });
  });
  return { code: await ended, output };
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

async function signedIn(world: OAuthWorld, rest: Record<string, unknown> = {}) {
  const workspace = await workspaceOf(world, rest);
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
  test('an authorization server that fails for a while signs nobody out', async () => {
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
