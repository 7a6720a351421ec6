import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { httpToken } from './http-token.js';

const CONFIGURED = 'a-secret-of-sixteen-or-more';

test('the first start creates a 256-bit token that only the user can read; later starts keep it', async () => {
  await using folder = await temporaryFolder();

  const first = await httpToken(undefined, folder.path);
  const second = await httpToken(undefined, folder.path);

  const path = join(folder.path, 'http-token');
  expect(first).toMatchObject({ kind: 'file', isNew: true, path });
  expect(Buffer.from(first.token ?? '', 'base64url')).toHaveLength(32);
  expect(second).toEqual({ ...first, isNew: false });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toBe(`${first.token}\n`);
});

test('tokens of two data directories differ', async () => {
  await using one = await temporaryFolder();
  await using other = await temporaryFolder();

  const [a, b] = [await httpToken(undefined, one.path), await httpToken(undefined, other.path)];

  expect(a.token).not.toBe(b.token);
});

test('a configured token is used as it is, and false disables the token; neither creates a file', async () => {
  await using folder = await temporaryFolder();

  expect(await httpToken(CONFIGURED, folder.path)).toEqual({
    kind: 'configured',
    token: CONFIGURED,
  });
  expect(await httpToken(false, folder.path)).toEqual({ kind: 'none', token: undefined });
  expect(() => statSync(join(folder.path, 'http-token'))).toThrow('ENOENT');
});

test('a token file that is a symbolic link is refused and its target stays unchanged', async () => {
  await using folder = await temporaryFolder();
  const victim = join(folder.path, 'victim');
  writeFileSync(victim, 'somebody else’s words, long enough', { mode: 0o600 });
  symlinkSync(victim, join(folder.path, 'http-token'));

  await expect(httpToken(undefined, folder.path)).rejects.toThrow('is a link');
  expect(readFileSync(victim, 'utf8')).toContain('somebody');
});

test('a token file that other users can read is refused with advice on how to fix it', async () => {
  await using folder = await temporaryFolder();
  const { path = '' } = (await httpToken(undefined, folder.path)) as { path?: string };
  chmodSync(path, 0o644);

  await expect(httpToken(undefined, folder.path)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('Delete the file') as string,
  });
});

test('a token file that a crash left empty is replaced', async () => {
  await using folder = await temporaryFolder();
  writeFileSync(join(folder.path, 'http-token'), '', { mode: 0o600 });

  const made = await httpToken(undefined, folder.path);

  expect(made).toMatchObject({ kind: 'file', isNew: true });
});
