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
