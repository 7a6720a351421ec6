import { statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { PmlClient } from '../helpers/pml-client.js';
import { plain, Workspace } from '../helpers/workspace.js';

// covers: DAEMON-ONE
test('sixteen clients that start at the same moment get one daemon, for its owner alone', async () => {
  await using workspace = await Workspace.create(
    { mcpServers: { good: plain() } },
    { isNew: true },
  );

  const clients = await Promise.all(Array.from({ length: 16 }, () => workspace.connect()));
  const answers = await Promise.all(
    clients.map((client, i) => client.text('good__echo', { text: `client ${i}` })),
  );

  expect(answers).toEqual(clients.map((_, i) => `client ${i}`));
  // Each relay may start a daemon. All but one end as soon as they see that one serves.
  await expect.poll(() => workspace.processes('daemon')).toHaveLength(1);
  expect(workspace.processes('server')).toHaveLength(1);
  expect((await workspace.status()).clients).toHaveLength(16);
  const mode = (path: string) => (statSync(join(workspace.dataDir, path)).mode & 0o777).toString(8);
  expect(mode('')).toBe('700');
  expect(mode('daemon.sock')).toBe('600');
  expect(mode('daemon.lock')).toBe('600');
  expect(mode('children')).toBe('700');
  expect(mode('logs')).toBe('700');
});

describe('two clients on the same servers', () => {
  let workspace: Workspace;
  let one: PmlClient;
  let two: PmlClient;

  beforeAll(async () => {
    workspace = await Workspace.create({
      mcpServers: { shared: plain(), own: plain({ isolation: 'per-client' }) },
    });
    const named = (name: string) => ({
      capabilities: { sampling: {}, elicitation: {}, roots: {} },
      answer: ({ method }: { method: string }) => ({ by: name, method }),
    });
    one = await workspace.connect(named('one'));
    two = await workspace.connect(named('two'));
    await one.text('shared__echo', { text: 'warm' });
  });

  afterAll(async () => {
    await workspace[Symbol.asyncDispose]();
  });

  test.each(['sampling/createMessage', 'elicitation/create', 'roots/list'])(
    '%s reaches the client whose call it belongs to',
    async (method) => {
      const before = [one.asked.length, two.asked.length];

      const answer = await two.text('shared__ask', { method });

      expect(JSON.parse(answer)).toEqual({ by: 'two', method });
      expect([one.asked.length, two.asked.length]).toEqual([before[0], (before[1] ?? 0) + 1]);
    },
  );

  // covers: PASS-QUESTIONS
  test('a shared server that may mean either of two is refused, not guessed at', async () => {
    const stay = two.call('shared__slow', { ms: 600_000 });
    await expect.poll(async () => (await workspace.server('shared')).runningCalls).toBe(1);
    const before = [one.asked.length, two.asked.length];

    const answer = await one.text('shared__ask', { method: 'sampling/createMessage' });

    expect(answer).toContain('several clients');
    expect([one.asked.length, two.asked.length]).toEqual(before);
    expect(two.pendingCount).toBe(1);
    await two.kill();
    await stay;
    two = await workspace.connect({
      capabilities: { sampling: {} },
      answer: ({ method }) => ({ by: 'two', method }),
    });
    await expect.poll(async () => (await workspace.server('shared')).runningCalls).toBe(0);
  });

  test('a server of its own for each client asks that client, and ends with it', async () => {
    const method = 'sampling/createMessage';
    const answers = await Promise.all([
      one.text('own__ask', { method }),
      two.text('own__ask', { method }),
    ]);
    const pids = [await one.text('own__pid'), await two.text('own__pid')];

    expect(answers.map((answer) => JSON.parse(answer) as unknown)).toEqual([
      { by: 'one', method },
      { by: 'two', method },
    ]);
    expect(new Set(pids).size).toBe(2);
    expect(await one.text('own__pid')).toBe(pids[0]);
    await two[Symbol.asyncDispose]();
    await expect
      .poll(() => workspace.processes('server').some(({ pid }) => String(pid) === pids[1]))
      .toBe(false);
    expect(await one.text('own__pid')).toBe(pids[0]);
  });
});
