import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { silentLogger } from '../core/index.js';
import { scheduleMaintenance } from './maintenance.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('runs again after a failure, never twice at a time, and not after the stop', async () => {
  let runs = 0;
  let finish = () => {};
  const upkeep = async () => {
    runs += 1;
    if (runs === 1) throw new Error('disk full');
    await new Promise<void>((resolve) => (finish = resolve));
  };
  const stop = scheduleMaintenance(upkeep, { logger: silentLogger, intervalMs: 1_000 });

  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(runs).toBe(2);

  const stopping = stop();
  finish();
  await stopping;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(runs).toBe(2);
});
