import { describe, expect, test, vi } from 'vitest';

import { examplesOf } from '../../../test/helpers/examples.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { type RecordingLogger, recordingLogger } from '../../../test/helpers/ready-discovery.js';
import type { ToolVectors } from '../../attention/index.js';
import { parseToolId } from '../../core/index.js';
import type { Example } from '../../ranking/index.js';
import { Learner, type ReplayedPast } from './learner.js';

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

/** Examples whose best evidence are learned vectors, and vectors to go with them. */
const TRAINED = examplesOf({ count: 40, telling: { trained: 1.5 } });
const VECTORS: ToolVectors = {
  space: 'toy',
  centre: new Float32Array(4),
  scale: 10,
  tools: [{ id: parseToolId('s:t').id, hash: 'h' }],
  biases: new Float32Array([0.5]),
  residuals: new Float32Array([1, 2, 3, 4]),
};

function createVectorLearner(
  replays: readonly ReplayedPast[],
  store = memoryStores().ranking,
): { learner: Learner; store: typeof store; wants: boolean[]; log: RecordingLogger } {
  const wants: boolean[] = [];
  const log = recordingLogger();
  const learner = new Learner({
    store,
    log,
    now: () => new Date(0),
    newId: () => `v${store.saved.size}`,
    toolCount: () => 10,
    hasTrainer: true,
    replay: async (_pause, wantsVectors) => {
      wants.push(wantsVectors);
      return replays[wants.length - 1] ?? replays.at(-1)!;
    },
    pause,
  });
  return { learner, store, wants, log };
}

function observe(learner: Learner, places: readonly number[]): void {
  for (const place of places) learner.observe(learner.active.id, place);
}

const times = (count: number, place: number) => Array.from({ length: count }, () => place);

describe('learning', () => {
  test('learning starts after enough new requests, and again after as many more', async () => {
    const { learner, replaying } = createLearner();

    learner.consider(4);
    expect(learner.isLearning).toBe(false);
    learner.consider(5);
    learner.consider(6);
    expect(learner.isLearning).toBe(true);
    await learner.settled();
    learner.consider(10);
    await learner.settled();
    expect(replaying).toHaveBeenCalledTimes(1);
    learner.consider(11);
    await learner.settled();

    expect(replaying).toHaveBeenCalledTimes(2);
  });

  test('learning starts again for requests that came while PML was learning', async () => {
    const { learner, replaying } = createLearner();

    learner.consider(5);
    await vi.waitFor(() => expect(replaying).toHaveBeenCalledTimes(1));
    learner.consider(12);
    await learner.settled();

    expect(replaying).toHaveBeenCalledTimes(2);
  });

  test('learning from a large past starts when a tenth of it is new', async () => {
    const { learner, replaying } = createLearner();
    await learner.learn(1_000);

    learner.consider(1_099);
    await learner.settled();
    expect(replaying).toHaveBeenCalledTimes(1);
    learner.consider(1_100);
    await learner.settled();

    expect(replaying).toHaveBeenCalledTimes(2);
  });

  test('the learner stores a model with its metrics, and the next process loads it', async () => {
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

  test('too little experience changes no model', async () => {
    const { learner, store } = createLearner(async () => HELPFUL.slice(0, 4));

    await learner.learn(4);

    expect([learner.active.id, store.saved.size]).toEqual(['shipped', 0]);
  });

  test('a failure while learning leaves the model unchanged and is logged', async () => {
    const { learner, log } = createLearner(() => Promise.reject(new Error('no index')));

    await learner.learn(12);

    expect(learner.active.id).toBe('shipped');
    expect(log.warnings.join()).toContain('no index');
    expect(learner.isLearning).toBe(false);
  });

  test('a store that fails does not prevent the use of a new model', async () => {
    const { learner, store, log } = createLearner();
    store.failure = new Error('disk full');

    await learner.learn(12);

    expect(learner.active.kind).toBe('memory');
    expect(log.warnings.join()).toContain('disk full');
  });

  test('disposal cancels learning without a warning', async () => {
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
  ])('a stored model that %s is not used', async (_, wrong) => {
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
  test('a model that does worse live than the previous one is rolled back for good', async () => {
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

  test('a model that does as well, or has nothing to compare with, stays', async () => {
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

  test('a model is compared with the last good one, even if another was fitted in between', async () => {
    const { learner } = createLearner();
    observe(learner, times(30, 1));
    for (let again = 0; again < 3; again++) {
      await learner.learn(12);
      observe(learner, times(10, 5));
    }

    expect(learner.active.id).toBe('shipped');
  });

  test('live outcomes of another model are not counted', async () => {
    const { learner } = createLearner();
    observe(learner, times(30, 1));
    await learner.learn(12);

    for (const place of times(100, 9)) learner.observe('some-other', place);

    expect(learner.active.kind).toBe('memory');
  });
});

describe('tool vectors', () => {
  const learned = { examples: TRAINED, vectors: VECTORS };

  test('tool vectors are learned from 500 requests on, and again when a fifth is new', async () => {
    const { learner, wants } = createVectorLearner([{ examples: HELPFUL }]);

    for (const remembered of [499, 500, 599, 600]) await learner.learn(remembered);

    expect(wants).toEqual([false, true, false, true]);
    expect(learner.vectors).toMatchObject({ isInUse: false, tools: 0 });
  });

  test('tool vectors report how many requests they still need', () => {
    const { learner } = createVectorLearner([{ examples: HELPFUL }]);

    learner.consider(3);

    expect(learner.vectors.why).toBe('3 of 500 remembered requests that learning needs');
  });

  // covers: VEC-KEPT
  test('tool vectors are stored with their model, and the next start uses both', async () => {
    const { learner, store } = createVectorLearner([learned]);
    await learner.learn(500);
    expect(learner.vectors).toMatchObject({ isInUse: true, tools: 1, requests: 500, answers: 40 });

    const { learner: next, wants } = createVectorLearner([learned], store);
    await next.load();

    expect(next.active.kind).toBe('vectors');
    expect(next.active.vectors?.size).toBe(1);
    expect(next.vectors).toEqual(learner.vectors);
    next.consider(599);
    expect(wants).toEqual([]);
    next.consider(600);
    await next.settled();
    expect(wants).toEqual([true]);
  });

  test('a model whose tool vectors are lost is not used', async () => {
    const { learner, store } = createVectorLearner([learned]);
    await learner.learn(500);
    store.savedVectors.clear();

    const { learner: next } = createVectorLearner([learned], store);
    await next.load();

    expect(next.active.id).toBe('shipped');
  });

  // covers: VEC-KEPT
  test('tool vectors in use stay unchanged when the learning process is killed', async () => {
    const failure = 'it took more memory than it may';
    const { learner, log } = createVectorLearner([learned, { examples: HELPFUL, failure }]);
    await learner.learn(500);
    const before = learner.active;

    await learner.learn(600);

    expect(learner.active).toBe(before);
    expect(learner.vectors).toMatchObject({ isInUse: true, why: failure });
    expect(log.warnings.join()).toContain(failure);
  });

  // covers: VEC-KEPT
  test('tool vectors are dropped when they no longer do better on held-out requests', async () => {
    const { learner } = createVectorLearner([learned, { examples: HELPFUL, vectors: VECTORS }]);
    await learner.learn(500);

    await learner.learn(600);

    expect(learner.active.kind).not.toBe('vectors');
    expect(learner.vectors.isInUse).toBe(false);
  });

  // covers: VEC-KEPT
  test('tool vectors are rolled back when live calls do worse with them', async () => {
    const { learner, store } = createVectorLearner([learned]);
    observe(learner, times(30, 1));
    await learner.learn(500);
    const failed = learner.active.id;

    observe(learner, times(30, 5));

    expect(learner.active.id).toBe('shipped');
    expect(learner.vectors.isInUse).toBe(false);
    await vi.waitFor(() => expect(store.saved.get(failed)?.status).toBe('rolled-back'));
  });
});
