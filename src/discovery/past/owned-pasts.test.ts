import { expect, test } from 'vitest';

import { aTrace } from '../../../test/conformance/experience-store.js';
import { memoryStores } from '../../../test/helpers/memory-stores.js';
import { type ExecutionTrace, type Principal, principal, silentLogger } from '../../core/index.js';
import { OwnedPasts } from './owned-pasts.js';

const NO_GRAPH = { nodes: [], edges: [] };

function pasts() {
  return new OwnedPasts({
    log: silentLogger,
    graphOf: () => NO_GRAPH,
    keepable: (intent) => intent,
    onAdded: () => {},
  });
}

const intentsOf = (traces: Iterable<ExecutionTrace>) => Array.from(traces, ({ intent }) => intent);
const owner = (name: string): Principal => principal('token', name);

test('each client remembers its own executions, and the store keeps them apart', async () => {
  const { experience } = memoryStores();
  const all = pasts();
  await all.attach(experience);
  const taken: string[] = [];
  const ann = all.of(owner('ann'), (traces) => taken.push(...intentsOf(traces)));
  const bob = all.of(owner('bob'), () => {});

  await ann.remember([aTrace('one')]);

  expect(intentsOf(ann.traces)).toEqual(['do one']);
  expect(intentsOf(bob.traces)).toEqual([]);
  expect(taken).toEqual(['do one']);
  expect(await experience.load({ limit: 10 })).toEqual([]);
  expect(intentsOf(await experience.load({ limit: 10, owner: owner('ann') }))).toEqual(['do one']);
});

test('a memory that was evicted comes back from the store', async () => {
  const { experience } = memoryStores();
  const all = pasts();
  await all.attach(experience);
  const first = all.of(owner('first'), () => {});
  await first.remember([aTrace('kept')]);
  for (let count = 0; count < 50; count++) all.of(owner(`later-${count}`), () => {});

  expect(all.evict()).toEqual([owner('first')]);
  const again = all.of(owner('first'), () => {});

  expect(again).not.toBe(first);
  await expect.poll(() => intentsOf(again.traces)).toEqual(['do kept']);
});

test('the user finds an execution of any client by its id', async () => {
  const all = pasts();
  const ann = all.of(owner('ann'), () => {});
  await ann.remember([aTrace('of-ann')]);

  expect(await all.recall('of-ann')).toMatchObject({ owner: owner('ann') });
  expect(await all.recall('unknown')).toBeUndefined();
});
