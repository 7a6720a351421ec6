import { expect, test, vi } from 'vitest';

import { keptResults } from '../../../test/helpers/kept-results.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { silentLogger } from '../../core/index.js';
import { tendResults } from './tend-results.js';

test('deletes what has expired, logs what it cannot, and ends when told to', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { results: store } = memoryStores();
  const clock = { now: 0 };
  const kept = keptResults({ now: () => clock.now });
  kept.attach(store);
  const handle = kept.keep({ text: 'long', mimeType: 'text/plain' });
  await kept.settled();
  const errors: string[] = [];
  const log = { ...silentLogger, error: (message: string) => void errors.push(message) };

  const stop = tendResults(kept, log);
  expect(store.rows.get(handle)?.gone).toBeUndefined();
  clock.now = 3_600_000;
  store.failure = new Error('disk full');
  vi.advanceTimersByTime(3_600_000);
  await vi.waitFor(() => expect(errors).toEqual(['old results not deleted']));
  store.failure = undefined;
  vi.advanceTimersByTime(3_600_000);
  await vi.waitFor(() => expect(store.rows.get(handle)?.gone).toBe('expired'));
  stop();

  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});
