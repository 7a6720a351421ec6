/** What `pml status`, `pml doctor` and `pml tools` say when not everything is as it should be. */
import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import type { Finding } from '../../src/cli/doctor/finding.js';
import { chaos, killIfAlive, plain, Workspace } from '../helpers/workspace.js';

const canLimit = spawnSync('prlimit', ['--version']).status === 0;

test('[STATUS-REJECTED] status and doctor say that a changed configuration is not used', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  await using client = await workspace.connect();

  workspace.configure('{ "mcpServers": { "good": 7 } }');
  await expect
    .poll(async () => (await workspace.status()).rejectedConfig?.code)
    .toBe('CONFIG_INVALID');
  const text = await workspace.run('status');
  const doctor = await workspace.run('doctor', '--json');
  workspace.configure({ mcpServers: { good: plain() } });
  await expect.poll(async () => (await workspace.status()).rejectedConfig).toBeUndefined();

  expect(text.stdout).toContain('is not used [CONFIG_INVALID]');
  expect(text.stdout).toContain('mcpServers.good');
  const { findings } = JSON.parse(doctor.stdout) as { findings: readonly Finding[] };
  const said = findings.filter(({ what }) => what === 'config').map(({ message }) => message);
  expect(said.join('\n')).toContain('does not use the file as it is now');
  expect((await workspace.run('status')).stdout).not.toContain('is not used');
  expect((await client.request('ping')).error).toBeUndefined();
});

test.skipIf(!canLimit)(
  `[STATUS-STORE] status and doctor say that the store fails to write${canLimit ? '' : ' (skipped: no prlimit)'}`,
  async () => {
    await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
    await using client = await workspace.connect();
    await client.text('pml_read', { tasks: [{ tool: 'good:echo', args: { text: 'x' } }] });
    const pid = workspace.daemonPid();
    // No file of the daemon can grow any more, as on a full disk; its log cannot either.
    spawnSync('prlimit', [`--pid=${pid}`, '--fsize=0:unlimited']);

    await client.text('pml_read', { tasks: [{ tool: 'good:echo', args: { text: 'y' } }] });
    await expect.poll(() => isFailing(workspace)).toBe(true);
    const text = await workspace.run('status');
    const doctor = await workspace.run('doctor', '--json');
    // What the store does after that is not asked here.
    killIfAlive(pid);

    expect(text.stdout).toMatch(/fails \(|gives no answer/);
    const { findings } = JSON.parse(doctor.stdout) as { findings: readonly Finding[] };
    expect(findings.find(({ what }) => what === 'store')?.level).toBe('fail');
  },
);

test('[STATUS-TOKENS] status shows what PML sent to each session, by kind', async () => {
  await using workspace = await Workspace.create({
    embedding: 'none',
    mcpServers: { good: plain() },
  });
  await using client = await workspace.connect();
  await using idle = await workspace.connect();
  const sentTo = async () => (await workspace.status()).clients.map(({ budget }) => budget.sent);
  await client.request('tools/list');
  const [listed] = await sentTo();

  await client.text('pml_discover', { intent: 'echo a text' });
  await client.text('pml_execute_workflow', { intent: 'echo a text' });
  await client.text('pml_execute_workflow', {
    tasks: [
      { id: 'a', tool: 'good:echo', args: { text: 'x'.repeat(500) } },
      { id: 'b', tool: 'good:echo', args: { text: 'y' } },
    ],
  });
  await client.request('tools/list');
  const [used, other] = await sentTo();
  const text = await workspace.run('status');
  const json = await workspace.run('status', '--json');

  expect(listed?.menu).toBeGreaterThan(200);
  expect(listed).toMatchObject({ discover: 0, plans: 0, runs: 0, results: 0 });
  expect(used?.menu).toBe(listed?.menu);
  for (const kind of ['discover', 'plans', 'runs'] as const) {
    expect(used?.[kind]).toBeGreaterThan(10);
  }
  expect(used?.results).toBeGreaterThan(150);
  // It only read the instructions.
  expect(other?.menu).toBeLessThan(listed!.menu);
  expect(text.stdout).toMatch(
    /clients +.*: [\d,]+ of 10,000 tokens \(menu \d+, discover \d+, plans \d+, runs \d+\) and \d+ of tool results\n/,
  );
  const shown = JSON.parse(json.stdout) as { clients: readonly { budget: object }[] };
  expect(shown.clients[0]).toMatchObject({ budget: { sent: used, budgetTokens: 10_000 } });
  expect((await idle.request('ping')).error).toBeUndefined();
});

async function isFailing(workspace: Workspace): Promise<boolean> {
  const { store } = await workspace.status();
  return 'error' in store || (store.failing ?? []).length > 0;
}

test('[TOOLS-WAIT] tools names the server it waits for and shows what the others have', async () => {
  await using workspace = await Workspace.create({
    mcpServers: { good: plain(), never: chaos('no-init'), dead: chaos('exit-init') },
  });

  const { code, stdout, stderr } = await workspace.run('tools');
  const json = await workspace.run('tools', '--json', '--server', 'good');

  expect(code).toBe(0);
  expect(stdout).toContain('good:echo');
  expect(stderr).toMatch(/Waiting for the tools of .*never/);
  expect(stderr).toContain('the tools of never are missing');
  expect(stderr).toContain('the tools of dead are missing');
  // Who asks for one server waits for no other.
  expect(JSON.parse(json.stdout)).toContainEqual(expect.objectContaining({ id: 'good:echo' }));
  expect(json.stderr).toBe('');
});
