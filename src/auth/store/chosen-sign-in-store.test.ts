import { describe, expect, test } from 'vitest';

import { memorySignInStore } from '../../../test/helpers/memory-sign-in-store.js';
import { ChosenSignInStore } from './chosen-sign-in-store.js';
import type { OpenEntry } from './keychain-sign-in-store.js';

/** A keychain that refuses long entries, as that of Windows does. */
function keychain(longest = Infinity) {
  const entries = new Map<string, string>();
  const open: OpenEntry = (name) => ({
    async setPassword(text) {
      if (text.length > longest) throw new Error('too long');
      entries.set(name, text);
    },
    getPassword: async () => entries.get(name) ?? null,
    deleteCredential: async () => entries.delete(name),
  });
  return { entries, find: async () => open };
}

const value = (text: string) => ({ tokens: { access: text } });

// covers: AUTH-KEYCHAIN
describe('where tokens are kept', () => {
  test('a keychain that works holds them, and no file does', async () => {
    const files = memorySignInStore();
    const { entries, find } = keychain();
    const store = new ChosenSignInStore({ files, scope: 'a', find });

    await store.write('key', value('one'));

    expect(await store.read('key')).toEqual(value('one'));
    expect([...entries.keys()]).toEqual(['a/key']);
    expect(files.values.size).toBe(0);
    expect(store.place).toContain('keychain');
  });

  test('without a keychain files hold them', async () => {
    const files = memorySignInStore();
    const store = new ChosenSignInStore({ files, scope: 'a', find: async () => undefined });

    await store.write('key', value('one'));

    expect(files.values.size).toBe(1);
    expect(store.place).toBe('memory');
  });

  test('a pair that the keychain refuses goes to a file, and the older pair is gone', async () => {
    const files = memorySignInStore();
    const { entries, find } = keychain(40);
    const store = new ChosenSignInStore({ files, scope: 'a', find });
    await store.write('key', value('short'));

    await store.write('key', value('x'.repeat(100)));

    expect(await store.read('key')).toEqual(value('x'.repeat(100)));
    expect(entries.size).toBe(0);
  });

  test('a sign-in in a file is found after the keychain began to work', async () => {
    const files = memorySignInStore();
    await files.write('key', value('old'));
    const store = new ChosenSignInStore({ files, scope: 'a', find: keychain().find });

    expect(await store.read('key')).toEqual(value('old'));
    await store.write('key', value('new'));
    expect(files.values.size).toBe(0);
  });
});
