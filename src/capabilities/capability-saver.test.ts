import { describe, expect, test } from 'vitest';

import { aCapability } from '../../test/helpers/capability-samples.js';
import { memoryStores } from '../../test/helpers/memory-stores.js';
import { type Capability, type CapabilityUse, PmlError, silentLogger } from '../core/index.js';
import { CapabilitySaver } from './capability-saver.js';

function start(stored: readonly Capability[] = []) {
  const { capabilities: store } = memoryStores();
  for (const capability of stored) store.rows.set(capability.name, capability);
  const memory = new Map(stored.map((one) => [one.name, one]));
  const errors: string[] = [];
  const log = { ...silentLogger, error: (message: string) => void errors.push(message) };
  const saver = new CapabilitySaver({ log, read: (name) => memory.get(name) });
  saver.attach(store, stored);
  const uses = (name: string) => store.rows.get(name)?.current.statistics.uses;
  /** One more use, in memory and reported to the saver. */
  const use = (name: string) => {
    const before = memory.get(name)!;
    const statistics = { ...before.current.statistics, uses: before.current.statistics.uses + 1 };
    memory.set(name, { ...before, current: { ...before.current, statistics } });
    saver.used(aUse(name));
  };
  return { store, memory, saver, errors, uses, use };
}

function aUse(capability: string): CapabilityUse {
  const identity = `${capability}-1`;
  const once = { uses: 1, successes: 0, totalMs: 1, failuresInRow: 1 };
  return { capability, identity, ...once, lastUsed: new Date('2026-11-03T00:00:00Z') };
}

describe('CapabilitySaver', () => {
  test('CapabilitySaver writes simultaneous changes together', async () => {
    const { store, memory, saver, use, uses } = start([aCapability('old'), aCapability('gone')]);
    memory.set('new', aCapability('new'));
    memory.delete('gone');

    saver.changed('new');
    saver.changed('new');
    saver.removed('gone');
    use('old');
    use('old');
    await saver.settled();

    expect(store.updates).toHaveLength(1);
    expect([...store.rows.keys()]).toEqual(['old', 'new']);
    expect(uses('old')).toBe(3);
  });

  test('CapabilitySaver counts a use once, whether it comes before or after the first write', async () => {
    const { memory, saver, use, uses } = start();
    memory.set('new', aCapability('new'));
    saver.changed('new');
    use('new');
    await Promise.resolve();

    use('new');
    await saver.settled();
    use('new');
    await saver.settled();

    expect(uses('new')).toBe(memory.get('new')?.current.statistics.uses);
    expect(uses('new')).toBe(4);
  });

  test('CapabilitySaver retries a failed write with the next change and counts nothing twice', async () => {
    const { store, memory, saver, errors, use, uses } = start([aCapability('old')]);
    store.failure = new PmlError('STORE_FAILED', 'disk full');
    memory.set('new', aCapability('new'));
    saver.changed('new');
    use('old');
    await saver.settled();
    use('new');
    await saver.settled();
    expect(errors).toEqual(['capabilities not saved']);
    expect(uses('old')).toBe(1);

    store.failure = undefined;
    use('old');
    await saver.settled();

    expect([uses('old'), uses('new')]).toEqual([3, 2]);
  });

  test('CapabilitySaver does not mix a removed capability with a new one of the same name', async () => {
    const { store, memory, saver, use, uses } = start([
      aCapability('name', { others: [aCapability('other').current] }),
    ]);
    use('name');
    saver.removed('name');
    memory.set('name', aCapability('name'));
    saver.changed('name');
    use('name');
    await saver.settled();

    expect(uses('name')).toBe(2);
    expect(store.rows.get('name')?.others).toEqual([]);
  });
});
