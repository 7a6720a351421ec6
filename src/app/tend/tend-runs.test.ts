import { expect, test } from 'vitest';

import { MemoryRunLog } from '../../../test/helpers/memory-run-log.js';
import { startOf, task } from '../../../test/helpers/run-parts.js';
import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import { runId } from '../../core/index.js';
import { tendRuns } from './tend-runs.js';

const RUN = runId('left');
const policy = () => ({ keepRuns: 10, keepDays: 1 });

test('tendRuns resumes runs of an earlier process and deletes expired runs', async () => {
  const log = new MemoryRunLog();
  const old = runId('old');
  log.put(old, [startOf([], { run: old }), { type: 'run-finished', at: 0, outcome: 'completed' }]);
  log.put(RUN, [startOf([task('t', [], { tool: 'read_a' })], { run: RUN, at: Date.now() })]);
  const { workflows, tools, logger } = await runWorkflows({ log });

  const stop = tendRuns(workflows, { policy, log: logger });
  await expect.poll(() => tools.called).toEqual(['read_a']);
  await expect.poll(async () => (await log.read(old)).length).toBe(0);
  stop();

  expect(logger.warnings).toEqual([]);
});

test('tendRuns reports a policy that cannot be read and keeps working', async () => {
  const { workflows, logger } = await runWorkflows();
  const broken = () => {
    throw new Error('no policy');
  };

  const stop = tendRuns(workflows, { policy: broken, log: logger });
  await expect.poll(() => logger.warnings).toEqual([expect.stringContaining('no policy')]);
  stop();
});

test('tendRuns prunes runs by count as they end, without waiting for the hourly pass', async () => {
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

  // Five kept runs, and fewer than twenty that end before the next pruning.
  await expect.poll(async () => (await log.list({ limit: 100 })).length).toBeLessThan(25);
  stop();
  expect(logger.warnings).toEqual([]);
});
