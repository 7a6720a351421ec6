import { afterAll, describe, expect, test } from 'vitest';

import { startPostgres } from '../../../test/helpers/postgres-server.js';
import { silentLogger } from '../../core/index.js';
import { createPostgresStore } from './postgres-store.js';

const server = await startPostgres();
const stores =
  typeof server === 'string'
    ? []
    : await Promise.all(
        [1, 2].map(() => createPostgresStore({ url: server.url, logger: silentLogger })),
      );
const [one, other] = stores.map(({ sharedSignIns }) => sharedSignIns!);
afterAll(async () => {
  for (const store of stores) await store[Symbol.asyncDispose]();
  if (typeof server !== 'string') await server[Symbol.asyncDispose]();
});

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const MINUTE = 60_000;

describe.skipIf(typeof server === 'string')('leases of sign-ins on PostgreSQL', () => {
  test('one of two gateways gets the lease, the other one after the release', async () => {
    const got = await Promise.all([
      one!.lease('a', 'one', MINUTE),
      other!.lease('a', 'two', MINUTE),
    ]);
    const [winner, loser] = got[0] ? ['one', 'two'] : ['two', 'one'];

    expect(got.filter(Boolean)).toEqual([true]);
    expect(await one!.lease('a', winner!, MINUTE), 'the owner extends it').toBe(true);
    expect(await other!.write('a', loser!, bytes('x'))).toBe(false);
    expect(await other!.write('a', winner!, bytes('y'))).toBe(true);
    await one!.release('a', loser!);
    expect(await other!.lease('a', loser!, MINUTE)).toBe(false);
    await one!.release('a', winner!);
    expect(await other!.lease('a', loser!, MINUTE)).toBe(true);
    expect(Buffer.from((await one!.read('a')) ?? []).toString()).toBe('y');
  });

  test('an expired lease goes to the next gateway, and the first one writes no more', async () => {
    await one!.lease('b', 'frozen', 1);
    await expect.poll(() => other!.lease('b', 'awake', MINUTE)).toBe(true);

    expect(await one!.write('b', 'frozen', bytes('late'))).toBe(false);
    expect(await one!.lease('b', 'frozen', MINUTE)).toBe(false);
  });

  test('a removed sign-in leaves no row', async () => {
    await one!.lease('c', 'one', MINUTE);
    await one!.write('c', 'one', bytes('x'));
    await one!.write('c', 'one', undefined);
    await one!.release('c', 'one');

    expect(await other!.read('c')).toBeUndefined();
  });
});
