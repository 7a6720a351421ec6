import { expect, test } from 'vitest';

import type { Store } from '../../store/index.js';
import { StoreHealth, watchStore } from './watch-store.js';

/** A store whose catalog can be told to fail; its other parts are not used. */
function createStore() {
  let problem: Error | undefined;
  const catalog = {
    async save() {
      if (problem) throw problem;
    },
    async load() {
      return { servers: [], tools: [] };
    },
  };
  const rest = ['embeddings', 'episodes', 'experience', 'graph', 'ranking', 'outputs'];
  const parts = Object.fromEntries([...rest, 'capabilities', 'results'].map((part) => [part, {}]));
  const store = { ...parts, catalog } as unknown as Store;
  return { store, fail: (error: Error | undefined) => (problem = error) };
}

const update = {} as Parameters<Store['catalog']['save']>[0];

test('a store that fails to write says what failed, why and how often, until it works again', async () => {
  const health = new StoreHealth(() => new Date(0));
  const { store, fail } = createStore();
  const { catalog } = watchStore(store, health);

  fail(new Error('disk full'));
  await expect(catalog.save(update)).rejects.toThrow('disk full');
  await expect(catalog.save(update)).rejects.toThrow('disk full');
  await catalog.load();
  const before = health.failing;
  fail(undefined);
  await catalog.save(update);

  expect(before).toEqual([{ what: 'catalog.save', error: 'disk full', at: new Date(0), times: 2 }]);
  expect(health.failing).toEqual([]);
});
