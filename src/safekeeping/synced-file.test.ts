import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { SyncedFile } from './synced-file.js';

const folder = await temporaryFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const KIND = { format: 'pml-test', version: 1 };
const fileAt = (name: string, kind = KIND) => new SyncedFile(join(folder.path, name), kind);

describe('SyncedFile', () => {
  test('SyncedFile is empty before the first write and then holds the value written last', async () => {
    const file = fileAt('plain');
    expect(await file.read()).toBeUndefined();

    await Promise.all([file.write({ a: 1 }), file.write({ a: 'zwei \n \ud800' })]);

    expect(await fileAt('plain').read()).toEqual({ a: 'zwei \n \ud800' });
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(['plain']);
  });

  test('SyncedFile replaces a draft that a crash left behind', async () => {
    const file = fileAt('crashed');
    await writeFile(`${file.path}.new`, 'half');

    await file.write([1]);

    expect(await file.read()).toEqual([1]);
  });

  test.each([
    ['a flipped byte', (text: string) => text.replace('value', 'valve')],
    ['a missing end', (text: string) => text.slice(0, -5)],
    ['no content', () => ''],
    ['another content', () => 'nonsense\n'],
  ])('SyncedFile rejects a file with %s', async (_damage, damage) => {
    const file = fileAt('damaged');
    await file.write({ a: 1 });
    await writeFile(file.path, damage(await readFile(file.path, 'utf8')));

    await expect(file.read()).rejects.toThrow(`${file.path} is damaged`);
  });

  test('SyncedFile rejects a file of another kind or version', async () => {
    await fileAt('kind').write(1);

    await expect(fileAt('kind', { ...KIND, format: 'other' }).read()).rejects.toThrow('kind other');
    await expect(fileAt('kind', { ...KIND, version: 2 }).read()).rejects.toThrow('pml-test 2');
  });

  test('SyncedFile follows no symbolic link for reading or writing', async () => {
    const target = join(folder.path, 'target');
    await writeFile(target, 'not ours');
    const [read, write] = [fileAt('linked'), fileAt('written')];
    await symlink(target, read.path);
    await symlink(target, `${write.path}.new`);

    await expect(read.read()).rejects.toThrow('cannot be read');
    await read.write(1);
    await write.write(2);

    expect(await readFile(target, 'utf8')).toBe('not ours');
    expect([await read.read(), await write.read()]).toEqual([1, 2]);
  });
});
