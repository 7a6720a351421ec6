import { describe, expect, test, vi } from 'vitest';

import { examplesOf } from '../../../test/helpers/examples.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { recordingLogger } from '../../../test/helpers/ready-discovery.js';
import type { Example } from '../../ranking/index.js';
import { Learner } from './learner.js';

const HELPFUL = examplesOf({ count: 12, telling: { vote: 1 } });
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

function createLearner(
  replay: () => Promise<readonly Example[]> = async () => HELPFUL,
  store = memoryStores().ranking,
) {
  const log = recordingLogger();
  let ids = 0;
  const newId = () => `m${store.saved.size}-${ids++}`;
  const replaying = vi.fn<typeof replay>(replay);
  const learner = new Learner({
    store,
    log,
    now: () => new Date(0),
    newId,
    toolCount: () => 10,
    replay: async () => ({ examples: await replaying() }),
    pause,
  });
  return { learner, store, log, replaying };
}

function observe(learner: Learner, places: readonly number[]): void {
  for (const place of places) learner.observe(learner.active.id, place);
}

const times = (count: number, place: number) => Array.from({ length: count }, () => place);

describe('learning', () => {
  test('starts when enough is new, and not again until there is as much again', async () => {
    const { learner, replaying } = createLearner();

    learner.consider(4);
    expect(learner.isLearning).toBe(false);
    learner.consider(5);
    learner.consider(6);
    expect(learner.isLearning).toBe(true);
    await learner.settled();
    learner.consider(9);
    await learner.settled();
    expect(replaying).toHaveBeenCalledTimes(1);
    learner.consider(10);
    await learner.settled();

    expect(replaying).toHaveBeenCalledTimes(2);
  });

  test('starts again for requests that came while PML was learning', async () => {
    const { learner, replaying } = createLearner();

    learner.consider(5);
    learner.consider(12);
    await learner.settled();

    expect(replaying).toHaveBeenCalledTimes(2);
  });

  test('of a large past a tenth must be new', async () => {
    const { learner, replaying } = createLearner();
    await learner.learn(1_000);

    learner.consider(1_099);
    await learner.settled();
    expect(replaying).toHaveBeenCalledTimes(1);
    learner.consider(1_100);
    await learner.settled();

    expect(replaying).toHaveBeenCalledTimes(2);
  });

  test('stores the model with what justified it, and the next run takes it up', async () => {
    const { learner, store } = createLearner();
    await learner.learn(12);

    const [saved] = store.saved.values();
    expect(saved).toMatchObject({
      status: 'active',
      parameters: { kind: 'memory' },
      metric: { examples: 12, remembered: 12, heldOut: { memory: {}, cold: {} } },
    });
    const { learner: next, replaying } = createLearner(undefined, store);
    await next.load();
    expect(next.active).toEqual(learner.active);
    next.consider(13);
    expect(replaying).not.toHaveBeenCalled();
  });

  test('too little experience changes nothing', async () => {
    const { learner, store } = createLearner(async () => HELPFUL.slice(0, 4));

    await learner.learn(4);

    expect([learner.active.id, store.saved.size]).toEqual(['shipped', 0]);
  });

  test('a failure leaves the model as it is, and says so', async () => {
    const { learner, log } = createLearner(() => Promise.reject(new Error('no index')));

    await learner.learn(12);

    expect(learner.active.id).toBe('shipped');
    expect(log.warnings.join()).toContain('no index');
    expect(learner.isLearning).toBe(false);
  });

  test('a store that fails does not keep a model from being used', async () => {
    const { learner, store, log } = createLearner();
    store.failure = new Error('disk full');

    await learner.learn(12);

    expect(learner.active.kind).toBe('memory');
    expect(log.warnings.join()).toContain('disk full');
  });

  test('is given up at the end, quietly', async () => {
    const { learner, store, log } = createLearner();
    const learning = learner.learn(12);

    await learner[Symbol.asyncDispose]();
    await learning;
    learner.consider(1_000);

    expect([learner.active.id, store.saved.size, log.warnings]).toEqual(['shipped', 0, []]);
    expect(learner.isLearning).toBe(false);
  });
});

describe('a stored model', () => {
  test.each([
    ['has a signal that is gone', { weights: { gone: 1 } }],
    ['lacks its calibration', { calibration: null }],
    ['is of an unknown kind', { kind: 'magic' }],
    ['holds no numbers', { calibration: { bias: 'x', score: 1, lead: 1 } }],
  ])('that %s is not used', async (_, wrong) => {
    const { learner, store } = createLearner();
    await learner.learn(12);
    const [saved] = store.saved.values();
    store.saved.set(saved!.id, { ...saved!, parameters: { ...saved!.parameters, ...wrong } });

    const { learner: next } = createLearner(undefined, store);
    await next.load();

    expect(next.active.id).toBe('shipped');
  });
});

describe('live outcomes', () => {
  test('a model that does worse than the one before is taken back, for good', async () => {
    const { learner, store, log } = createLearner();
    observe(learner, times(30, 1));
    await learner.learn(12);
    const failed = learner.active.id;

    observe(learner, times(29, 5));
    expect(learner.active.id).toBe(failed);
    observe(learner, [5]);

    expect(learner.active.id).toBe('shipped');
    await vi.waitFor(() => expect(store.saved.get(failed)?.status).toBe('rolled-back'));
    expect(log.warnings.join()).toContain('taken back');
    const { learner: next } = createLearner(undefined, store);
    await next.load();
    expect(next.active.id).toBe('shipped');
  });

  test('one that does as well, or that nothing is known to compare with, stays', async () => {
    const { learner } = createLearner();
    observe(learner, times(30, 2));
    await learner.learn(12);
    observe(learner, times(100, 2));
    expect(learner.active.kind).toBe('memory');

    const { learner: fresh } = createLearner();
    await fresh.learn(12);
    observe(fresh, times(100, 0));
    expect(fresh.active.kind).toBe('memory');
  });

  test('a model is compared with the last good model, even if the learner fitted another one in between', async () => {
    const { learner } = createLearner();
    observe(learner, times(30, 1));
    for (let again = 0; again < 3; again++) {
      await learner.learn(12);
      observe(learner, times(10, 5));
    }

    expect(learner.active.id).toBe('shipped');
  });

  test('outcomes of another model are not counted', async () => {
    const { learner } = createLearner();
    observe(learner, times(30, 1));
    await learner.learn(12);

    for (const place of times(100, 9)) learner.observe('some-other', place);

    expect(learner.active.kind).toBe('memory');
  });
});
