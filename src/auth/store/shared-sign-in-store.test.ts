import { describe, expect, test } from 'vitest';

import { memorySharedSignIns } from '../../../test/helpers/memory-shared-sign-ins.js';
import { memorySignInStore } from '../../../test/helpers/memory-sign-in-store.js';
import { silentLogger } from '../../core/index.js';
import { seal, sealKeyOf, unseal } from './seal.js';
import { SharedSignInStore } from './shared-sign-in-store.js';

const SECRET = 'x'.repeat(32);
const value = (access: string) => ({ tokens: { access } });

function storeOn(
  database = memorySharedSignIns(),
  {
    secret,
    keys = memorySignInStore(),
    leaseMs,
  }: {
    secret?: string;
    keys?: ReturnType<typeof memorySignInStore>;
    leaseMs?: number;
  } = {},
) {
  const own = memorySignInStore();
  const store = new SharedSignInStore({
    rows: async () => database.shared,
    secret,
    keys,
    database: 'db',
    own,
    log: silentLogger,
    ...(leaseMs !== undefined && { leaseMs }),
  });
  const write = (key: string, text: string) =>
    store.exclusively(key, () => store.write(key, value(text)));
  return { store, own, keys, write };
}

describe('sign-ins in a shared database', () => {
  test('gateways with one secret read what the other one wrote, and the rows show nothing', async () => {
    const database = memorySharedSignIns();
    const one = storeOn(database, { secret: SECRET });
    const other = storeOn(database, { secret: SECRET });

    await one.write('notes', 'token-in-the-open');

    expect(await other.store.read('notes')).toEqual(value('token-in-the-open'));
    const stored = [...database.rows].map(([id, { sealed }]) => id + Buffer.from(sealed ?? []));
    expect(stored.join()).not.toMatch(/notes|token-in-the-open/);
  });

  test('gateways with different secrets have sign-ins of their own', async () => {
    const database = memorySharedSignIns();
    const one = storeOn(database, { secret: SECRET });
    const other = storeOn(database, { secret: 'y'.repeat(32) });

    await one.write('notes', 'first');
    await other.write('notes', 'second');

    expect(await one.store.read('notes')).toEqual(value('first'));
    expect(await other.store.read('notes')).toEqual(value('second'));
  });

  test('gateways that start together make one key', async () => {
    const database = memorySharedSignIns();
    const keys = memorySignInStore();
    const [one, other] = [storeOn(database, { keys }), storeOn(database, { keys })];

    await Promise.all([one.write('a', 'one'), other.write('b', 'two')]);

    expect(keys.writes).toBe(1);
    expect(await one.store.read('b')).toEqual(value('two'));
  });

  test('one gateway works at a time, and one that never returns is replaced', async () => {
    const database = memorySharedSignIns();
    const one = storeOn(database, { secret: SECRET });
    const other = storeOn(database, { secret: SECRET });
    const order: string[] = [];
    const slow = one.store.exclusively('a', async () => {
      order.push('one begins');
      await new Promise((resolve) => setTimeout(resolve, 150));
      order.push('one ends');
    });
    await other.store.exclusively('a', async () => order.push('other'));
    await slow;

    expect(order).toEqual(['one begins', 'one ends', 'other']);
    // A process that was killed: no release follows.
    const [[id = ''] = []] = database.rows;
    await database.shared.lease(id, 'killed', 20);
    await other.write('a', 'next');
    expect(await one.store.read('a')).toEqual(value('next'));
  });

  test('a gateway whose lease went to another one writes nothing', async () => {
    const database = memorySharedSignIns();
    const one = storeOn(database, { secret: SECRET });
    const other = storeOn(database, { secret: SECRET });

    const late = one.store.exclusively('a', async () => {
      for (const row of database.rows.values()) row.until = 0;
      await other.write('a', 'newer');
      await one.store.write('a', value('late'));
    });

    await expect(late).rejects.toMatchObject({ code: 'SIGN_IN_FAILED' });
    expect(await one.store.read('a')).toEqual(value('newer'));
  });

  test('a sign-in from before is found, moves with its next change, and is gone after a sign-out', async () => {
    const { store, own, write } = storeOn(undefined, { secret: SECRET });
    await own.write('a', value('before'));

    expect(await store.read('a')).toEqual(value('before'));
    await write('a', 'after');
    expect(own.values.size).toBe(0);
    await store.exclusively('a', () => store.remove('a'));
    expect(await store.read('a')).toBeUndefined();
  });
});

test('a sealed value opens with its key and name alone, and not after a change', () => {
  const key = sealKeyOf(SECRET);
  const sealed = seal(key, 'a', value('token'));

  expect(unseal(key, 'a', sealed)).toEqual(value('token'));
  expect(unseal(key, 'b', sealed)).toBeUndefined();
  expect(unseal(sealKeyOf('z'.repeat(32)), 'a', sealed)).toBeUndefined();
  sealed[sealed.length - 1]! ^= 1;
  expect(unseal(key, 'a', sealed)).toBeUndefined();
  expect(unseal(key, 'a', new Uint8Array([1, 2]))).toBeUndefined();
});
