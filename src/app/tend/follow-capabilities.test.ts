import { afterAll, describe, expect, test } from 'vitest';

import { aCapability, aVersion } from '../../../test/helpers/capability-samples.js';
import { startPostgres } from '../../../test/helpers/postgres-server.js';
import { Capabilities } from '../../capabilities/index.js';
import { type SharedCapabilityStore, silentLogger } from '../../core/index.js';
import { createPostgresStore, type Store } from '../../store/index.js';
import { followCapabilities } from './follow-capabilities.js';

const server = await startPostgres();
const open: AsyncDisposable[] = typeof server === 'string' ? [] : [server];
afterAll(async () => {
  for (const one of open.toReversed()) await one[Symbol.asyncDispose]();
});

/** The part of a daemon that keeps capabilities. */
async function gateway(everyMs = 20) {
  if (typeof server === 'string') throw new Error(server);
  const store: Store = await createPostgresStore({ url: server.url, logger: silentLogger });
  const shared = store.sharedCapabilities as SharedCapabilityStore;
  const capabilities = new Capabilities({ log: silentLogger, now: () => new Date() });
  await capabilities.attach(store.capabilities);
  const following = followCapabilities({ capabilities, store: shared, log: silentLogger, everyMs });
  open.push(store, following);
  return { capabilities, shared };
}

const put = (shared: SharedCapabilityStore, ...write: ReturnType<typeof aCapability>[]) =>
  shared.save({ write, remove: [], forget: [], uses: [] });

// covers: STORE-SHARED-LIVE
describe.skipIf(typeof server === 'string')(
  'capabilities of gateways that share a database',
  () => {
    test('running gateways see each other learn, change, rename, disable and delete capabilities', async () => {
      const [one, other, third] = [await gateway(), await gateway(), await gateway()];
      const seen = (name: string) => other.capabilities.get(name);
      const told: string[] = [];
      other.capabilities.onChange(({ changed, removed }) =>
        told.push(...changed.map(({ name }) => name), ...removed.map((name) => `-${name}`)),
      );

      await put(third.shared, aCapability('greet'));
      await expect.poll(() => seen('greet')?.name).toBe('greet');
      await expect.poll(() => one.capabilities.get('greet')?.name).toBe('greet');
      expect(told).toContain('greet');

      one.capabilities.pin('greet', true);
      await expect.poll(() => seen('greet')?.isPinned).toBe(true);

      one.capabilities.rename('greet', 'welcome');
      await expect.poll(() => seen('welcome')?.aliases).toEqual(['greet']);
      expect(other.capabilities.list()).toHaveLength(1);

      one.capabilities.disable('welcome');
      await expect.poll(() => seen('welcome')?.state.status).toBe('disabled');

      one.capabilities.enable('welcome');
      one.capabilities.used('welcome', { ok: true, ms: 5, at: new Date() });
      const { uses } = one.capabilities.get('welcome')!.current.statistics;
      await expect.poll(() => seen('welcome')?.current.statistics.uses).toBe(uses);

      other.capabilities.remove('welcome');
      await expect.poll(() => one.capabilities.list()).toEqual([]);
      expect(told.filter((name) => name.startsWith('-'))).toContain('-greet');
    });

    test('a gateway does not reread capabilities while other gateways write nothing', async () => {
      const one = await gateway(60_000);
      await put(one.shared, aCapability('own'));
      await one.shared.save({
        write: [],
        remove: [],
        forget: [],
        uses: [
          {
            capability: 'own',
            identity: 'own-1',
            uses: 1,
            successes: 1,
            totalMs: 1,
            failuresInRow: 0,
            lastUsed: new Date(),
          },
        ],
      });
      const news: unknown[] = [];

      await one.shared.news((told) => {
        news.push(told);
        return new Set();
      });

      expect(news).toEqual([]);
    });

    test('a gateway is offered a changed capability again until it accepts it', async () => {
      const [one, other] = [await gateway(60_000), await gateway(60_000)];
      await put(other.shared, aCapability('theirs'));
      const names: string[][] = [];
      const look = (left: readonly string[]) =>
        one.shared.news(({ written }) => {
          names.push(written.map(({ name }) => name));
          return new Set(left);
        });

      await look(['theirs']);
      await look([]);
      await look([]);

      expect(names).toEqual([['theirs'], ['theirs']]);
    });

    test('a capability that two gateways write at once ends with the versions of both', async () => {
      const [one, other] = [await gateway(60_000), await gateway(60_000)];
      const base = aCapability('both', { current: aVersion({ identity: 'v1' }) });
      await put(one.shared, base);
      await put(other.shared, {
        ...base,
        current: aVersion({ identity: 'v2', version: 2 }),
        others: [base.current],
      });
      await put(one.shared, { ...base, isPinned: true });
      const versions: string[] = [];

      await one.shared.news(({ written }) => {
        for (const { name, current, others } of written) {
          if (name === 'both')
            versions.push(...[current, ...others].map(({ identity }) => identity));
        }
        return new Set();
      });

      expect(versions.toSorted()).toEqual(['v1', 'v2']);
    });
  },
);
