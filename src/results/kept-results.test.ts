import { describe, expect, test } from 'vitest';

import { deferred } from '../../test/helpers/deferred.js';
import { keptResults } from '../../test/helpers/kept-results.js';
import { memoryStores } from '../../test/helpers/memory-stores.js';
import { type LogFields, silentLogger } from '../core/index.js';

const MINUTE = 60_000;
const aText = (text: string) => ({ text, mimeType: 'text/plain' });

/** Kept results over a store, and their clock. */
function setUp({ memoryBytes = 1e8, storedResultBytes = 1e8 } = {}) {
  const { results: store } = memoryStores();
  const clock = { now: 1_000 };
  const warnings: (LogFields | undefined)[] = [];
  const open = () =>
    keptResults({
      memoryBytes,
      limits: () => ({ resultTtlMs: 10 * MINUTE, storedResultBytes }),
      now: () => clock.now,
      log: { ...silentLogger, warn: (_message, fields) => void warnings.push(fields) },
    });
  /** As after a restart, with empty memory. */
  const reopen = () => {
    const kept = open();
    kept.attach(store);
    return kept;
  };
  return { store, clock, warnings, open, reopen };
}

test('a kept result can be read at once and after a restart', async () => {
  const { store, reopen } = setUp();
  const writing = deferred<void>();
  store.gate = writing.promise;
  const kept = reopen();

  const handle = kept.keep(aText('long'));

  expect(await kept.get(handle)).toEqual(aText('long'));
  expect(store.rows.size).toBe(0);
  writing.resolve();
  await kept.settled();
  expect(await reopen().get(handle)).toEqual(aText('long'));
});

test('a result kept before the store is open is saved when it opens', async () => {
  const { store, open, reopen } = setUp();
  const kept = open();
  const handle = kept.keep(aText('early'));
  await kept.settled();

  kept.attach(store);
  await kept.settled();

  expect(await reopen().get(handle)).toEqual(aText('early'));
});

test('a handle from an earlier process waits until the store is open', async () => {
  const { store, reopen } = setUp();
  const before = reopen();
  const handle = before.keep(aText('before'));
  await before.settled();
  const opening = deferred<void>();
  const kept = keptResults({ opened: opening.promise, now: () => 1_000 });

  const reading = kept.get(handle);
  kept.attach(store);
  opening.resolve();

  expect(await reading).toEqual(aText('before'));
});

test('memory holds the last used results, and the store holds all', async () => {
  const { reopen } = setUp({ memoryBytes: 250 });
  const kept = reopen();
  const [one, other] = [kept.keep(aText('1'.repeat(100))), kept.keep(aText('2'.repeat(100)))];
  await kept.settled();

  await kept.get(one);
  const third = kept.keep(aText('3'.repeat(100)));

  expect([one, other, third].map((handle) => kept.isInMemory(handle))).toEqual([true, false, true]);
  await kept.settled();
  expect(await kept.get(other)).toEqual(aText('2'.repeat(100)));
});

test('a result too long for the store stays in memory, and the error says why it is gone', async () => {
  const { store, reopen } = setUp({ memoryBytes: 17_000_000 });
  const kept = reopen();
  const text = 'x'.repeat(16_000_001);

  const handle = kept.keep(aText(text));
  await kept.settled();

  expect(kept.lasts({ text })).toBe(false);
  expect((await kept.get(handle)).text).toHaveLength(16_000_001);
  expect(store.rows.size).toBe(0);
  kept.keep(aText('y'.repeat(2_000_000)));
  await expect(kept.get(handle)).rejects.toThrow(/longer than 16000000 characters/);
});

describe('when saving fails', () => {
  test('a failed save is logged, named in the error for the lost result, and retried later', async () => {
    const { store, warnings, reopen } = setUp({ memoryBytes: 250 });
    const kept = reopen();
    store.failure = new Error('disk full');
    const lost = kept.keep(aText('1'.repeat(100)));
    const saved = kept.keep(aText('2'.repeat(100)));
    await kept.settled();
    expect(warnings[0]).toMatchObject({ why: expect.stringContaining('disk full') });
    store.failure = undefined;

    kept.keep(aText('3'.repeat(100)));
    await kept.settled();

    expect([...store.rows.keys()]).toContain(saved);
    await expect(kept.get(lost)).rejects.toMatchObject({
      code: 'RESULT_NOT_FOUND',
      message: expect.stringMatching(/could not be saved \(disk full\).*make room.*call again/),
    });
  });

  test('a store that fails to read rejects with its error, not with RESULT_NOT_FOUND', async () => {
    const { store, reopen } = setUp();
    store.failure = new Error('connection lost');

    await expect(reopen().get('r_before')).rejects.toThrow('connection lost');
  });
});

describe('the time of a result', () => {
  test('an expired result is gone from memory and store, and the error says so', async () => {
    const { clock, reopen } = setUp();
    const kept = reopen();
    const handle = kept.keep(aText('old'));
    await kept.settled();
    clock.now += 10 * MINUTE;
    const expired = {
      code: 'RESULT_NOT_FOUND',
      message: expect.stringMatching(/expired at 1970-01-01T00:10:01/),
    };

    await expect(kept.get(handle)).rejects.toMatchObject(expired);
    await expect(reopen().get(handle)).rejects.toMatchObject(expired);
    await kept.prune();
    await expect(kept.get(handle)).rejects.toMatchObject(expired);
    clock.now += 40 * 24 * 60 * MINUTE;
    await kept.prune();
    await expect(kept.get(handle)).rejects.toThrow(/PML never gave out this handle/);
  });

  test('a result may be evicted before it expires to make room for others', async () => {
    const { clock, reopen } = setUp({ memoryBytes: 1, storedResultBytes: 250 });
    const kept = reopen();
    const handles: string[] = [];
    for (const text of ['1', '2', '3']) {
      handles.push(kept.keep(aText(text.repeat(100))));
      await kept.settled();
      clock.now += MINUTE;
    }

    const [first = '', ...others] = handles;
    await expect(reopen().get(first)).rejects.toThrow(/to make room \(limits.storedResultBytes\)/);
    for (const handle of others) expect((await reopen().get(handle)).text).toHaveLength(100);
  });
});

test('the error for a lost result says if there is no store', async () => {
  await expect(keptResults().get('r_nobody')).rejects.toThrow(/there is no store/);
});
