import { expect, test } from 'vitest';

import { MemoryRunLog } from '../../test/helpers/memory-run-log.js';
import { runGateway } from '../../test/helpers/run-gateway.js';
import { startOf, task } from '../../test/helpers/run-parts.js';
import { runId } from '../core/index.js';
import { tendRuns } from './tend-runs.js';

const RUN = runId('left');
const policy = () => ({ keepRuns: 10, keepDays: 1 });

test('what an earlier process left is taken up, and what is old is forgotten', async () => {
  const log = new MemoryRunLog();
  const old = runId('old');
  log.put(old, [startOf([], { run: old }), { type: 'run-finished', at: 0, outcome: 'succeeded' }]);
  log.put(RUN, [startOf([task('t', [], { tool: 'read_a' })], { run: RUN, at: Date.now() })]);
  const { gateway, tools, logger } = await runGateway({ log });

  const stop = tendRuns(gateway, { policy, log: logger });
  await expect.poll(() => tools.called).toEqual(['read_a']);
  await expect.poll(async () => (await log.read(old)).length).toBe(0);
  stop();

  expect(logger.warnings).toEqual([]);
});

test('a policy that cannot be read is told, and ends nothing', async () => {
  const { gateway, logger } = await runGateway();
  const broken = () => {
    throw new Error('no policy');
  };

  const stop = tendRuns(gateway, { policy: broken, log: logger });
  await expect.poll(() => logger.warnings).toEqual([expect.stringContaining('no policy')]);
  stop();
});
