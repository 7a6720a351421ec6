import { expect, test } from 'vitest';

import { countTools } from '../../../test/helpers/count-tools.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { silentLogger as log } from '../../core/index.js';
import { NO_TRAIL } from '../decisions/trail.js';
import { Discovery } from '../discovery.js';

function createTold() {
  const added: string[] = [];
  let ids = 0;
  const discovery = new Discovery({
    log,
    now: () => new Date(0),
    newId: () => `id-${ids++}`,
    graphOf: countTools,
    onAdded: (traces) => added.push(...traces.map(({ id }) => id)),
  });
  return { added, discovery };
}

const one = served('one', 'mail anna', ['mail:send']);
const two = served('two', 'mail bob', ['mail:search', 'mail:send']);

test('added executions are reported once with their graph delta, however often they come', async () => {
  const stores = memoryStores();
  const { added, discovery } = createTold();
  await discovery.attach(stores);

  await discovery.remember([one, one]);
  await Promise.all([discovery.remember([one, two]), discovery.remember([two])]);

  expect(added).toEqual(['one', 'two']);
  expect(stores.experience.deltas.filter(({ nodes }) => nodes.length > 0)).toEqual([
    countTools([one]),
    countTools([two]),
  ]);
});

test('executions of earlier runs or stored by another machine are not reported as added', async () => {
  const stores = memoryStores();
  await stores.experience.add([one], countTools);
  const { added, discovery } = createTold();
  await discovery.attach(stores);
  await discovery.settled();
  await stores.experience.add([two], countTools);

  expect(await discovery.remember([one, two])).toBe(0);

  expect(added).toEqual([]);
  expect(discovery.status.remembered).toBe(2);
});

test('added executions are reported without a store, and not again when one opens', async () => {
  const stores = memoryStores();
  const { added, discovery } = createTold();

  await Promise.all([discovery.remember([one]), discovery.remember([one])]);
  expect(added).toEqual(['one']);
  await discovery.attach(stores);
  await discovery.settled();

  expect(added).toEqual(['one']);
  expect(stores.experience.deltas).toEqual([countTools([one])]);
});

test('added executions are reported although the store fails', async () => {
  const stores = memoryStores();
  const { added, discovery } = createTold();
  await discovery.attach(stores);
  stores.experience.failure = new Error('disk full');

  discovery.executed(NO_TRAIL, { calls: [{ tool: one.calls[0]!.tool, ok: true }], bindings: [] });
  await discovery.settled();

  expect(added).toEqual(['id-0']);
});
