import { expect, test } from 'vitest';

import { clientEnvironment } from './client-environment.js';

const env = {
  HOME: '/home/u',
  PATH: '/home/u/.nvm/bin:/usr/bin',
  GITHUB_TOKEN: 'x',
  PML_HOME: '/p',
  XDG_RUNTIME_DIR: '/run/user/1',
  EMPTY: undefined,
};

test('a client of the terminal has the environment of the shell', () => {
  const { EMPTY: _empty, ...set } = env;

  expect(clientEnvironment('claude-code', { env, platform: 'linux' })).toEqual(set);
});

test('a program with a window has neither the PATH nor the variables of the shell', () => {
  expect(clientEnvironment('cursor', { env, platform: 'linux' })).toEqual({
    HOME: '/home/u',
    XDG_RUNTIME_DIR: '/run/user/1',
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  });
  expect(clientEnvironment('cursor', { env, platform: 'darwin' })['PATH']).not.toContain('local');
});

test('on Windows all programs share the variables of the user', () => {
  expect(clientEnvironment('cursor', { env, platform: 'win32' })['GITHUB_TOKEN']).toBe('x');
});
