import { expect, test } from 'vitest';

import { parseConfig } from './load.js';

function load(config: object) {
  return parseConfig(JSON.stringify(config), { path: '/p/pml.json', env: {} });
}

test('a profile has all servers and no further rules unless it says so', () => {
  const { profiles } = load({ profiles: { work: {} } }).file;

  expect(profiles['work']).toEqual({
    servers: ['*'],
    permissions: { ask: [], deny: [], readOnly: false },
  });
});

test.each([
  [
    'a default that does not exist',
    { profile: 'wrok', profiles: { work: {} } },
    'profile: no profile "wrok"; there are work',
  ],
  ['a default without profiles', { profile: 'work' }, 'no profile "work"; "profiles" has none'],
  [
    'a rule that would allow more',
    { profiles: { work: { permissions: { allow: ['*'] } } } },
    'profiles.work.permissions.allow: unknown key',
  ],
  ['a name that cannot be one', { profiles: { 'a b': {} } }, 'names of profiles hold'],
])('the configuration refuses %s and names the place', (_, config, message) => {
  expect(() => load(config)).toThrow(message);
});

test('profiles are part of what the user trusts', () => {
  const config = { profiles: { work: {} } };

  expect(load({ ...config, profile: 'work' }).trustHash).not.toBe(load(config).trustHash);
});
