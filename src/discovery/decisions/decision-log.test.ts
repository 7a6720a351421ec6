import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { id } from '../../../test/helpers/past-intent.js';
import { recordingLogger } from '../../../test/helpers/ready-discovery.js';
import type { AlgorithmTrace } from '../../core/index.js';
import { DecisionLog } from './decision-log.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function decision(name: string): AlgorithmTrace {
  const common = { algorithm: 'discover' as const, intent: 'x', model: 'm', weights: {} };
  return { ...common, id: name, at: new Date(0), candidates: [], shown: 0 };
}

const outcome = { tool: id('a:b'), place: 1, ok: true };

function openLog() {
  const store = memoryStores().ranking;
  const log = recordingLogger();
  return { store, log, decisions: new DecisionLog({ store, log }) };
}

test('the decision log writes decisions and outcomes together after a delay', async () => {
  const { store, decisions } = openLog();

  for (const name of ['a', 'b', 'c']) decisions.add(decision(name));
  decisions.addOutcome('b', outcome);
  expect(store.batches).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);

  expect(store.batches).toEqual([3]);
  expect([...store.outcomes.keys()]).toEqual(['b']);
});

test('the decision log keeps the newest decisions and outcomes under a flood', async () => {
  const { store, decisions } = openLog();

  for (let made = 0; made < 2_000; made++) {
    decisions.add(decision(`d${made}`));
    decisions.addOutcome(`d${made}`, outcome);
  }
  await decisions.flush();

  expect(store.batches).toEqual([500]);
  expect(store.decisions.has('d1999')).toBe(true);
  expect(store.outcomes.size).toBe(500);
});

test('the decision log stays bounded while the store hangs', async () => {
  const { store, decisions } = openLog();
  let open = () => {};
  store.gate = new Promise<void>((resolve) => (open = resolve));

  for (let made = 0; made < 3_000; made++) {
    decisions.add(decision(`d${made}`));
    if (made % 100 === 0) await vi.advanceTimersByTimeAsync(1_000);
  }
  open();
  await decisions[Symbol.asyncDispose]();

  expect(store.batches).toEqual([1, 500]);
  expect(store.decisions.has('d2999')).toBe(true);
});

test('disposal of the decision log writes pending decisions and is idempotent', async () => {
  const { store, decisions } = openLog();
  decisions.add(decision('last'));

  await decisions[Symbol.asyncDispose]();
  await decisions[Symbol.asyncDispose]();

  expect([...store.decisions.keys()]).toEqual(['last']);
  expect(store.batches).toEqual([1]);
});

test('the decision log prunes old decisions from time to time', async () => {
  const { store, decisions } = openLog();

  for (let made = 0; made < 201; made++) {
    decisions.add(decision(`d${made}`));
    await decisions.flush();
  }

  expect(store.pruned).toEqual([20_000, 20_000]);
});

test('the decision log warns about a failed write and still makes the next one', async () => {
  const { store, log, decisions } = openLog();
  store.failure = new Error('disk full');
  decisions.add(decision('lost'));
  await decisions.flush();
  store.failure = undefined;
  decisions.add(decision('kept'));
  await decisions.flush();

  expect(log.warnings.join()).toContain('disk full');
  expect([...store.decisions.keys()]).toEqual(['kept']);
});

test('the decision log keeps nothing without a store', async () => {
  const decisions = new DecisionLog({ store: undefined, log: recordingLogger() });

  decisions.add(decision('a'));

  expect(vi.getTimerCount()).toBe(0);
  await decisions[Symbol.asyncDispose]();
});
