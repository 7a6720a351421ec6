import {
  chmod,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { writeAtomic } from './write-atomic.js';

const directory = () => mkdtemp(join(tmpdir(), 'pml-'));

test('an atomic write keeps the mode of an existing file and makes new files private', async () => {
  const root = await directory();
  await writeFile(join(root, 'old'), 'a');
  await chmod(join(root, 'old'), 0o664);

  await writeAtomic(join(root, 'old'), 'b');
  await writeAtomic(join(root, 'sub', 'new'), 'c');

  expect((await stat(join(root, 'old'))).mode & 0o777).toBe(0o664);
  expect((await stat(join(root, 'sub', 'new'))).mode & 0o777).toBe(0o600);
  expect(await readdir(root)).toEqual(['old', 'sub']);
});

test('an atomic write follows a link instead of replacing it', async () => {
  const root = await directory();
  await writeFile(join(root, 'real'), 'a');
  await symlink(join(root, 'real'), join(root, 'link'));

  await writeAtomic(join(root, 'link'), 'b');

  expect((await lstat(join(root, 'link'))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(root, 'real'), 'utf8')).toBe('b');
});

test('an atomic write that fails leaves no file behind', async () => {
  const root = await directory();

  await expect(writeAtomic(root, 'x')).rejects.toThrow('EISDIR');

  const drafts = (await readdir(dirname(root))).filter((name) =>
    name.startsWith(`.${basename(root)}`),
  );
  expect(drafts).toEqual([]);
});
