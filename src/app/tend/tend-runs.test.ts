import { expect, test } from 'vitest';

import { MemoryRunLog } from '../../../test/helpers/memory-run-log.js';
import { startOf, task } from '../../../test/helpers/run-parts.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { runId } from '../../core/index.js';
import { tendRuns } from './tend-runs.js';

const RUN = runId('left');
const policy = () => ({ keepRuns: 10, keepDays: 1 });

test('what an earlier process left is taken up, and what is old is forgotten', async () => {
  const log = new MemoryRunLog();
  const old = runId('old');
  log.put(old, [startOf([], { run: old }), { type: 'run-finished', at: 0, outcome: 'succeeded' }]);
  log.put(RUN, [startOf([task('t', [], { tool: 'read_a' })], { run: RUN, at: Date.now() })]);
  const { workflows, tools, logger } = await runWorkflows({ log });

  const stop = tendRuns(workflows, { policy, log: logger });
  await expect.poll(() => tools.called).toEqual(['read_a']);
  await expect.poll(async () => (await log.read(old)).length).toBe(0);
  stop();

  expect(logger.warnings).toEqual([]);
});

test('a policy that cannot be read is told, and ends nothing', async () => {
  const { workflows, logger } = await runWorkflows();
  const broken = () => {
    throw new Error('no policy');
  };

  const stop = tendRuns(workflows, { policy: broken, log: logger });
  await expect.poll(() => logger.warnings).toEqual([expect.stringContaining('no policy')]);
  stop();
});

test('runs are forgotten by their number as they end, without waiting for the hour', async () => {
  const log = new MemoryRunLog();
  const { workflows, logger } = await runWorkflows({ log });
  const keepFive = () => ({ keepRuns: 5, keepDays: 1 });
  const stop = tendRuns(workflows, { policy: keepFive, log: logger });

  for (let made = 0; made < 60; made++) {
    const live = workflows.runs.begin({
      tasks: [task('t', [], { tool: 'read_a' })],
      approve: 'risky',
      context: {},
      isDurable: true,
    });
    workflows.runs.start(live);
    while (live.phase === 'running') await live.changed();
  }

  // Fewer than the twenty that may end before the next look.
  await expect.poll(async () => (await log.list({ limit: 100 })).length).toBeLessThan(25);
  stop();
  expect(logger.warnings).toEqual([]);
});
