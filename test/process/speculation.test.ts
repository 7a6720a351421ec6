/** Calls that PML makes ahead of its clients: when it serves them, and when it must not. */
import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { aheadWorkspace, ledgerOf, servedAge, teach, versionOf } from '../helpers/ahead.js';
import { type Answer, textOf } from '../helpers/pml-client.js';
import { SocketClient } from '../helpers/socket-client.js';
import type { Workspace } from '../helpers/workspace.js';

const ON = { mode: 'on', callsPerMinute: 1_000, msPerMinute: 1e6 };
const GET = ['get_value', { key: 'a' }] as const;

async function open(workspace: Workspace): Promise<SocketClient> {
  await workspace.connect(); // Starts the daemon and keeps it running.
  return connect(workspace);
}

async function connect(workspace: Workspace): Promise<SocketClient> {
  const client = await SocketClient.open(workspace);
  if (!client) throw new Error('no daemon');
  return client;
}

const calls = (workspace: Workspace, tool: string) =>
  ledgerOf(workspace).filter((line) => line.tool === tool).length;
const ahead = async (workspace: Workspace) => {
  const speculation = (await workspace.status()).speculation?.ahead;
  if (!speculation) throw new Error('status says nothing of speculation');
  return speculation;
};

/** The client calls the first tool, and PML the one that always followed. */
async function untilAhead(
  workspace: Workspace,
  client: SocketClient,
  [first, next]: readonly [string, string],
): Promise<Answer> {
  const before = calls(workspace, next);
  const answer = await client.call(`data__${first}`);
  await expect.poll(() => calls(workspace, next)).toBe(before + 1);
  return answer;
}

// covers: AHEAD-SERVED
test('PML makes a predicted call while the client thinks, and serves its result once', async () => {
  await using workspace = await aheadWorkspace(ON);
  using client = await open(workspace);
  await teach(client, [['list_values'], GET]);
  await untilAhead(workspace, client, ['list_values', 'get_value']);
  const sent = calls(workspace, 'get_value');

  const served = await client.call('data__get_value', { key: 'a' });
  const count = calls(workspace, 'get_value');
  const again = await client.call('data__get_value', { key: 'a' });

  expect(servedAge(served)).toBeTypeOf('number');
  expect(served.result?.['structuredContent']).toMatchObject({ key: 'a' });
  expect(count).toBe(sent);
  expect(servedAge(again)).toBeUndefined();
  expect((await ahead(workspace)).served).toBeGreaterThan(0);
  expect(workspace.log).toContain('called ahead');
});

// covers: AHEAD-FRESH
test('PML makes a fresh call after a write of any session, for other arguments and for another session', async () => {
  await using workspace = await aheadWorkspace(ON);
  using client = await open(workspace);
  using other = await connect(workspace);
  await teach(client, [['list_values'], GET]);

  await untilAhead(workspace, client, ['list_values', 'get_value']);
  const wrote = versionOf(await other.call('data__put_value', { key: 'x' })) ?? NaN;
  const afterWrite = await client.call('data__get_value', { key: 'a' });
  expect(servedAge(afterWrite)).toBeUndefined();
  expect(versionOf(afterWrite)).toBe(wrote);

  // The write changed results: PML is less confident until it sees more calls.
  await teach(client, [['list_values'], GET]);
  await untilAhead(workspace, client, ['list_values', 'get_value']);
  expect(servedAge(await other.call('data__get_value', { key: 'a' }))).toBeUndefined();
  await client.call('data__get_value', { key: 'a' });

  await untilAhead(workspace, client, ['list_values', 'get_value']);
  expect(servedAge(await client.call('data__get_value', { key: 'b' }))).toBeUndefined();
});

// covers: AHEAD-NOTIFIED
test('PML drops prepared results when their server notifies a change', async () => {
  await using workspace = await aheadWorkspace(ON);
  using client = await open(workspace);
  await teach(client, [['list_values'], GET]);
  const { stale } = await ahead(workspace);
  const listed = await untilAhead(workspace, client, ['list_values', 'get_value']);

  const [pid] = (await workspace.server('data')).pids;
  process.kill(pid ?? NaN, 'SIGUSR1');
  await expect.poll(async () => (await ahead(workspace)).stale).toBeGreaterThan(stale);
  const answer = await client.call('data__get_value', { key: 'a' });

  expect(servedAge(answer)).toBeUndefined();
  expect(versionOf(answer)).toBe((versionOf(listed) ?? NaN) + 1);
});

// covers: AHEAD-JOINED
test('client call waits for the same call if PML has already made it', async () => {
  await using workspace = await aheadWorkspace(ON);
  using client = await open(workspace);
  const slow = ['slow_value', { key: 'a', ms: 150 }] as const;
  await teach(client, [['list_values'], slow]);
  await untilAhead(workspace, client, ['list_values', 'slow_value']);
  const sent = calls(workspace, 'slow_value');

  const joined = await client.call('data__slow_value', { ms: 150, key: 'a' });

  expect(servedAge(joined)).toBeTypeOf('number');
  expect(calls(workspace, 'slow_value')).toBe(sent);
});

// covers: AHEAD-ASKS
test('PML stops predicting a tool whose server asks, and never serves prepared errors', async () => {
  await using workspace = await aheadWorkspace(ON);
  using client = await open(workspace);
  for (const tool of ['ask_value', 'broken_value']) {
    await teach(client, [['list_values'], [tool, { key: 'a' }]], 30);
  }
  for (let time = 0; time < 5; time++) {
    await client.call('data__list_values');
    expect(servedAge(await client.call('data__broken_value', { key: 'a' }))).toBeUndefined();
  }

  const { recent } = await ahead(workspace);
  expect(recent.filter(({ tool }) => tool === 'data:ask_value').length).toBeLessThanOrEqual(1);
  const broken = recent.filter(({ tool }) => tool === 'data:broken_value');
  expect(broken.map(({ fate }) => fate)).not.toContain('served');
});

const task = (tool: string, args: object = {}) => ({ tasks: [{ tool: `data:${tool}`, args }] });

// covers: SPECULATION-MODES
// covers: OFFERS-NEXT
test('answer to a run offers the usual next call by default, and PML calls nothing ahead', async () => {
  await using workspace = await aheadWorkspace('suggest');
  using client = await open(workspace);
  const run = (...one: Parameters<typeof task>) =>
    client.call('pml_execute_workflow', task(...one));
  for (let time = 0; time < 14; time++) {
    await run('slow_value', { key: 'l', ms: 20 });
    await run(...GET);
  }

  // An agent thinks between requests; PML predicts nothing for a program that calls in a loop.
  await delay(200);
  const answer = await run('slow_value', { key: 'l', ms: 20 });

  const offer = JSON.stringify({ offers: [{ tool: 'data:get_value', args: { key: 'a' } }] });
  expect(textOf(answer)).toContain(offer);
  expect(calls(workspace, 'get_value')).toBe(14);
  expect(await ahead(workspace)).toMatchObject({ sent: 0 });
});

// covers: AHEAD-PLAN
test('PML calls a reading step behind an approval ahead and serves it to the run, but no risky step', async () => {
  await using workspace = await aheadWorkspace(ON);
  using client = await open(workspace);
  await client.call('data__list_values');
  const tasks = [
    { id: 'list', tool: 'data:list_values' },
    { id: 'get', tool: 'data:get_value', args: { key: 'a' }, needs: ['list'] },
    { id: 'drop', tool: 'data:delete_value', args: { key: 'a' }, needs: ['list'] },
  ];
  const paused = await client.call('pml_execute_workflow', { tasks, approve: 'per_layer' });
  const answer = paused.result?.['structuredContent'];
  expect(answer).toMatchObject({ status: 'needs_approval' });
  const { run } = answer as { run: string };
  await expect.poll(() => calls(workspace, 'get_value')).toBe(1);
  expect(calls(workspace, 'delete_value')).toBe(0);

  const done = await client.call('pml_continue', { run, decision: 'approve' });

  expect(done.result?.['structuredContent']).toMatchObject({ status: 'completed' });
  expect(calls(workspace, 'get_value')).toBe(1);
  expect(calls(workspace, 'delete_value')).toBe(1);
  expect(await ahead(workspace)).toMatchObject({ sent: 1, served: 1 });
});
