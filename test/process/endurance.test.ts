import { expect, test } from 'vitest';

import { askDaemon } from '../../src/daemon/index.js';
import { plain, Workspace } from '../helpers/workspace.js';

const CALLS = 2_000;
const AT_ONCE = 8;
const KEPT_RUNS = 30;

interface Memory {
  readonly held: Readonly<Record<string, number>>;
}

// covers: MEMORY-BOUND
test('a daemon that served 2,000 calls holds no more than its bounds', async () => {
  await using workspace = await Workspace.create({
    workflows: { keepRuns: KEPT_RUNS },
    mcpServers: { one: plain() },
  });
  const client = await workspace.connect();
  let made = 0;
  const work = async () => {
    while (made < CALLS) {
      const at = made++;
      const tasks = [{ id: 'a', tool: 'one:echo', args: { text: `text ${at}` } }];
      if (at % 4 === 0) await client.text('pml_discover', { intent: `say text ${at}` });
      else if (at % 4 === 1) await client.text('pml_read', { tasks });
      else await client.text('pml_execute_workflow', { intent: `say text ${at}`, tasks });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));

  const held = async () =>
    ((await askDaemon(workspace.dataDir, 'memory')) as unknown as Memory).held;
  await expect.poll(async () => (await held())['liveRuns']).toBe(0);
  await expect.poll(async () => (await held())['runClients']).toBe(0);
  const now = await held();
  expect(now['executions']).toBeLessThanOrEqual(CALLS);
  expect(now['requests']).toBeLessThanOrEqual(CALLS);
  // A hundred bytes each, where they were kilobytes.
  expect(now['executionBytes']! / now['executions']!).toBeLessThan(300);
  // As many as may end before the next look.
  const listed = async () => {
    const answer = (await askDaemon(workspace.dataDir, 'runs', { limit: CALLS })) as {
      readonly runs?: readonly unknown[];
    };
    return answer.runs?.length ?? NaN;
  };
  await expect.poll(listed).toBeLessThanOrEqual(KEPT_RUNS + 20);
  expect(await listed()).toBeGreaterThanOrEqual(KEPT_RUNS - 1);
});
