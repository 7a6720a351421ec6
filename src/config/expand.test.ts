import { describe, expect, test } from 'vitest';

import { describeMissing, expandVariables, hasReference } from './expand.js';

const keychain = (name: string) => (name === 'github' ? 'ghp-from-the-keychain' : undefined);

describe('a reference to the keychain', () => {
  test('a whole value, or a part of it, is replaced and known as a secret', () => {
    const value = { a: 'keychain:github', b: 'Bearer ${keychain:github}' };

    const expanded = expandVariables(value, {}, keychain);

    expect(expanded.value).toEqual({
      a: 'ghp-from-the-keychain',
      b: 'Bearer ghp-from-the-keychain',
    });
    expect(expanded.variables).toEqual({ 'keychain:github': 'ghp-from-the-keychain' });
    expect(expanded.missing).toEqual([]);
  });

  test('an entry that is missing is named, with what to do', () => {
    const { missing } = expandVariables('keychain:gitlab', {}, keychain);

    expect(describeMissing(missing)).toMatch(/^keychain:gitlab: the keychain .* has no such entry/);
  });

  test('an escaped reference and other texts stay as they are', () => {
    const texts = ['see keychain:github', '$${keychain:github}', 'https://keychain:1/x'];

    const { value } = expandVariables(texts, {}, keychain);

    expect(value).toEqual(['see keychain:github', '${keychain:github}', 'https://keychain:1/x']);
    expect(texts.map(hasReference)).toEqual([false, false, false]);
    expect(hasReference('keychain:github')).toBe(true);
  });
});
