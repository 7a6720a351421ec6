import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { adoptDataDir, type DataDir, isForeign, prepareDataDir } from './data-dir.js';

const isRoot = process.getuid?.() === 0;

async function places() {
  const root = await mkdtemp(join(tmpdir(), 'pml-'));
  const home = join(root, 'home', '.pml');
  const at = (dataDir: string, isNamed = false): DataDir => ({ dataDir, home, isNamed });
  const fill = (folder: string) => {
    mkdirSync(join(folder, 'journal'), { recursive: true });
    writeFileSync(join(folder, 'journal', '1.log'), 'x');
  };
  return { root, home, at, fill };
}

const refused = expect.objectContaining({ code: 'DATA_DIR_REFUSED' }) as Error;

describe('a data directory outside the home of PML', () => {
  test('is made with a mark, and accepted again', async () => {
    const { root, at } = await places();
    const place = at(join(root, 'project', 'data'));

    prepareDataDir(place);
    writeFileSync(join(place.dataDir, 'anything'), '');

    expect(() => prepareDataDir(place)).not.toThrow();
    expect(isForeign(place)).toBe(false);
  });

  test('is refused when it holds something and no mark, until the user takes it over', async () => {
    const { root, at, fill } = await places();
    const place = at(join(root, 'data'));
    fill(place.dataDir);

    expect(isForeign(place)).toBe(true);
    expect(() => prepareDataDir(place)).toThrow(refused);
    adoptDataDir(place);

    expect(() => prepareDataDir(place)).not.toThrow();
  });

  test('is refused with the mark of another directory, or of another user', async () => {
    const { root, home, at } = await places();
    const place = at(join(root, 'data'));
    prepareDataDir(place);
    cpSync(place.dataDir, join(root, 'copy'), { recursive: true });

    expect(() => prepareDataDir(at(join(root, 'copy')))).toThrow(refused);
    expect(() => prepareDataDir({ ...place, home: join(root, 'other') })).toThrow(refused);
    expect(statSync(join(home, 'machine.key')).mode & 0o777).toBe(0o600);
  });

  test('needs no mark when the user named it, or when it is empty', async () => {
    const { root, at, fill } = await places();
    fill(join(root, 'named'));
    mkdirSync(join(root, 'empty'));

    expect(() => prepareDataDir(at(join(root, 'named'), true))).not.toThrow();
    expect(() => prepareDataDir(at(join(root, 'empty')))).not.toThrow();
  });
});

describe('a data directory in the home of PML', () => {
  test('needs no mark, and its configuration may be a link', async () => {
    const { root, home, at, fill } = await places();
    fill(home);
    fill(join(home, 'projects', 'a'));
    writeFileSync(join(root, 'dotfile'), '{}');
    symlinkSync(join(root, 'dotfile'), join(home, 'pml.json'));

    expect(() => prepareDataDir(at(home))).not.toThrow();
    expect(() => prepareDataDir(at(join(home, 'projects', 'a')))).not.toThrow();
  });

  test('is refused with a link anywhere else in it', async () => {
    const { root, home, at, fill } = await places();
    fill(home);
    symlinkSync(root, join(home, 'journal', 'away'));

    expect(() => prepareDataDir(at(home))).toThrow(join(home, 'journal', 'away'));
  });

  test('may itself be reached through a link', async () => {
    const { root, home, at, fill } = await places();
    fill(join(root, 'elsewhere'));
    mkdirSync(join(home, '..'), { recursive: true });
    symlinkSync(join(root, 'elsewhere'), home);

    expect(() => prepareDataDir(at(home))).not.toThrow();
  });
});

test('a data directory that is itself a link is refused, named or not', async () => {
  const { root, at, fill } = await places();
  fill(join(root, 'real'));
  symlinkSync(join(root, 'real'), join(root, 'link'));

  expect(() => prepareDataDir(at(join(root, 'link'), true))).toThrow('is a symbolic link');
});

test.runIf(isRoot)('a file of another user in a data directory is refused by name', async () => {
  const { home, at, fill } = await places();
  fill(home);
  chownSync(join(home, 'journal', '1.log'), 12_345, 12_345);

  expect(() => prepareDataDir(at(home))).toThrow('belongs to another user (id 12345)');
});

test('a pipe in a data directory is refused: opening it would wait for ever', async () => {
  const { home, at, fill } = await places();
  fill(home);
  execFileSync('mkfifo', [join(home, 'pipe')]);

  expect(() => prepareDataDir(at(home))).toThrow('neither a file nor a folder');
});

test('a data directory that is open to others is closed', async () => {
  const { home, at, fill } = await places();
  fill(home);
  chmodSync(home, 0o755);

  prepareDataDir(at(home));

  expect(statSync(home).mode & 0o777).toBe(0o700);
});

test('a place where no directory can be made is named with the reason and the fix', async () => {
  const { root, at } = await places();
  writeFileSync(join(root, 'file'), '');

  for (const path of [join(root, 'file', 'data'), '/proc/pml/data']) {
    expect(() => prepareDataDir(at(path))).toThrow(refused);
    expect(() => prepareDataDir(at(path))).toThrow(
      `PML cannot write to the data directory ${path}`,
    );
  }
  expect(readdirSync(root)).toEqual(['file']);
});
