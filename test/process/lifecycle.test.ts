import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { acquireOwnerLock } from '../../src/process/index.js';
import { textOf } from '../helpers/pml-client.js';
import { chaos, plain, Workspace } from '../helpers/workspace.js';

// covers: DAEMON-CLEAN
test('stop ends the whole process tree, also what refuses to end', async () => {
  await using workspace = await Workspace.create({
    limits: { startTimeoutMs: 600_000 },
    mcpServers: {
      good: plain(),
      deaf: chaos('', { STUBBORN: 'eof,term' }),
      parent: chaos('', { STUBBORN: 'child' }),
      silent: chaos('no-init', { STUBBORN: 'eof,term' }),
    },
  });
  const client = await workspace.connect();
  for (const name of ['deaf', 'parent']) await client.text(`${name}__act`, { mode: 'ok' });
  await expect.poll(() => workspace.processes('server').length).toBeGreaterThanOrEqual(4);
  const { pid } = await workspace.status();
  await client[Symbol.asyncDispose]();

  const { code, stdout } = await workspace.run('stop');

  expect(stdout).toContain(String(pid));
  expect(code).toBe(0);
  expect(workspace.processes()).toEqual([]);
  expect(JSON.parse((await workspace.run('status', '--json')).stdout)).toMatchObject({
    running: false,
  });
});

test('stop waits for a daemon that holds its lock but does not listen yet', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  mkdirSync(workspace.dataDir, { recursive: true, mode: 0o700 });
  const lock = await acquireOwnerLock(join(workspace.dataDir, 'daemon.lock'));
  let isStarting = true;
  setTimeout(() => {
    isStarting = false;
    void lock[Symbol.asyncDispose]();
  }, 5_000);

  const { code, stdout } = await workspace.run('stop');

  expect(isStarting).toBe(false);
  expect(code).toBe(0);
  expect(stdout).toContain('No daemon was running');
});

test('what a crashed server started ends with it', async () => {
  await using workspace = await Workspace.create({
    mcpServers: { parent: chaos('', { STUBBORN: 'child' }) },
  });
  const client = await workspace.connect();
  await client.text('act', { mode: 'ok' });
  const before = workspace.processes('server').map(({ pid }) => pid);
  expect(before).toHaveLength(2);

  expect(textOf(await client.call('act', { mode: 'crash' }))).toContain('[SERVER_CRASHED]');

  await expect
    .poll(() => workspace.processes('server').filter(({ pid }) => before.includes(pid)))
    .toEqual([]);
});

// covers: SERVER-IDLE
test('an idle server stops and is back at the next call; an idle daemon ends', async () => {
  await using workspace = await Workspace.create({
    limits: { idleStopMs: 300, daemonIdleMs: 300 },
    mcpServers: { good: plain() },
  });
  const client = await workspace.connect();
  const first = await client.text('pid');

  await expect.poll(() => workspace.processes('server')).toEqual([]);
  expect(workspace.processes('daemon')).toHaveLength(1);
  const second = await client.text('pid');
  expect(second).not.toBe(first);

  await client[Symbol.asyncDispose]();
  await expect.poll(() => workspace.processes()).toEqual([]);
  expect(workspace.log).toContain('reason=idle');
});

test('a client that comes while an idle daemon decides to end is served by the next one', async () => {
  await using workspace = await Workspace.create({
    limits: { daemonIdleMs: 5_000 },
    mcpServers: { good: plain() },
  });
  const pid = await idleDaemon(workspace);
  // When it resumes, its idle timer is due before it sees who connected meanwhile.
  process.kill(pid, 'SIGSTOP');
  const connecting = workspace.connect();
  setTimeout(() => process.kill(pid, 'SIGCONT'), 6_000);

  const client = await connecting;

  expect(await client.text('pid')).toMatch(/^\d+$/);
  expect(workspace.log).toContain('reason=idle');
});

/** The pid of a daemon without clients; on a busy machine the first one may end before it is looked at. */
async function idleDaemon(workspace: Workspace): Promise<number> {
  for (;;) {
    await workspace.run('tools');
    const pid = workspace.daemonPid();
    if (pid !== undefined) return pid;
  }
}

// covers: CONFIG-LIVE
test('servers come and go with the configuration while a client is connected', async () => {
  await using workspace = await Workspace.create({ mcpServers: { good: plain() } });
  const client = await workspace.connect();
  await client.text('good__echo', { text: 'warm' });
  const daemon = workspace.daemonPid();

  workspace.configure({ mcpServers: { good: plain(), more: plain() } });
  await expect
    .poll(async () => textOf(await client.call('more__echo', { text: 'new' })))
    .toBe('new');
  await expect
    .poll(() => client.notifications.map(({ method }) => method))
    .toContain('notifications/tools/list_changed');

  workspace.configure('{"mcpServers": {"more": {"command": 7}}, "limits": 3}');
  await expect.poll(() => workspace.log).toContain('changed configuration is not used');
  expect(await client.text('good__echo', { text: 'still' })).toBe('still');

  workspace.configure({ mcpServers: { more: plain() } });
  await expect
    .poll(async () => (await workspace.status()).servers.map(({ name }) => name))
    .toEqual(['more']);
  await expect.poll(() => workspace.processes('server')).toHaveLength(1);
  const gone = await client.call('good__echo', { text: 'gone' });
  expect(gone.error?.message ?? textOf(gone)).toMatch(/Unknown tool|No server/);
  expect(await client.text('more__echo', { text: 'stays' })).toBe('stays');
  expect(workspace.daemonPid()).toBe(daemon);
});

// covers: SAFE-PINNED
test('a changed definition is blocked until it is approved, or only recorded', async () => {
  const config = (definitionChanges: string) => ({
    definitionChanges,
    mcpServers: { rug: chaos() },
  });
  await using workspace = await Workspace.create(config('block'));
  const client = await workspace.connect();
  const changes = async () => {
    const { stdout } = await workspace.run('tools', 'changes', '--json');
    const all = JSON.parse(stdout) as { tool: string; kind: string; diff: string[] }[];
    return all.filter(({ kind }) => kind !== 'added');
  };

  expect(await client.text('rug:act', { mode: 'ok' })).toBe('ok');
  await client.text('rug:act', { mode: 'rug' });
  await expect
    .poll(async () => textOf(await client.call('rug:act', { mode: 'ok' })))
    .toMatch(/^\[TOOL_BLOCKED\] .*pml tools approve rug:act/);
  expect(await client.text('rug:peek', { mode: 'ok' })).toBe('ok');
  expect((await workspace.run('tools', 'approve', 'rug:act')).code).toBe(0);
  expect(await client.text('rug:act', { mode: 'ok' })).toBe('ok');

  workspace.configure(config('warn'));
  await expect.poll(() => workspace.log).toContain('configuration changed');
  await client.text('rug:act', { mode: 'rug' });
  await expect
    .poll(async () => (await changes()).map(({ tool, kind }) => `${tool} ${kind}`))
    .toEqual(['rug:act changed', 'rug:act approved', 'rug:act changed']);
  expect((await changes())[0]?.diff.join('\n')).toContain('id_rsa');
  expect(await client.text('rug:act', { mode: 'ok' })).toBe('ok');
});

// covers: SAFE-SECRETS
test('secrets of the configuration are nowhere but in the server they are for', async () => {
  const secret = 'sk-very-secret-0123456789';
  await using workspace = await Workspace.create({
    logLevel: 'debug',
    mcpServers: {
      refusing: chaos('refuse-init', { API_KEY: secret, REFUSAL: `bad key ${secret}` }),
      leaking: chaos('banner', { BANNER: `using ${secret}`, TOKEN: secret }),
      remote: {
        url: 'http://127.0.0.1:9/mcp',
        headers: { Authorization: `Bearer ${secret}` },
      },
    },
  });
  const client = await workspace.connect();
  await client.text('leaking__act', { mode: 'ok' });
  await expect
    .poll(async () => (await workspace.status()).servers.filter(({ lastError }) => lastError))
    .toHaveLength(2);

  const refused = await client.call('pml_execute_workflow', {
    tasks: [{ tool: 'refusing:act', args: {} }],
  });
  const unreachable = await client.call('pml_execute_workflow', {
    tasks: [{ tool: 'remote:act', args: {} }],
  });
  const shown = [
    JSON.stringify([refused, unreachable]),
    (await workspace.run('status', '--json')).stdout,
    (await workspace.run('status')).stdout,
    (await workspace.run('tools', '--json')).stdout,
    workspace.log,
    readFileSync(join(workspace.dataDir, 'logs', 'daemon.log'), 'utf8'),
  ];

  expect(textOf(refused)).toContain('failed to initialize: ***');
  for (const text of shown) expect(text).not.toContain(secret);
});
