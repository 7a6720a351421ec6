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
  test('a data directory outside the home of PML gets a mark and is accepted again', async () => {
    const { root, at } = await places();
    const place = at(join(root, 'project', 'data'));

    prepareDataDir(place);
    writeFileSync(join(place.dataDir, 'anything'), '');

    expect(() => prepareDataDir(place)).not.toThrow();
    expect(isForeign(place)).toBe(false);
  });

  test('a non-empty data directory without a mark is refused until the user adopts it', async () => {
    const { root, at, fill } = await places();
    const place = at(join(root, 'data'));
    fill(place.dataDir);

    expect(isForeign(place)).toBe(true);
    expect(() => prepareDataDir(place)).toThrow(refused);
    adoptDataDir(place);

    expect(() => prepareDataDir(place)).not.toThrow();
  });

  test('a data directory with the mark of another directory or user is refused', async () => {
    const { root, home, at } = await places();
    const place = at(join(root, 'data'));
    prepareDataDir(place);
    cpSync(place.dataDir, join(root, 'copy'), { recursive: true });

    expect(() => prepareDataDir(at(join(root, 'copy')))).toThrow(refused);
    expect(() => prepareDataDir({ ...place, home: join(root, 'other') })).toThrow(refused);
    expect(statSync(join(home, 'machine.key')).mode & 0o777).toBe(0o600);
  });

  test('a data directory needs no mark if the user named it or if it is empty', async () => {
    const { root, at, fill } = await places();
    fill(join(root, 'named'));
    mkdirSync(join(root, 'empty'));

    expect(() => prepareDataDir(at(join(root, 'named'), true))).not.toThrow();
    expect(() => prepareDataDir(at(join(root, 'empty')))).not.toThrow();
  });
});

describe('a data directory in the home of PML', () => {
  test('a data directory in the home of PML needs no mark, and its configuration may be a link', async () => {
    const { root, home, at, fill } = await places();
    fill(home);
    fill(join(home, 'projects', 'a'));
    writeFileSync(join(root, 'dotfile'), '{}');
    symlinkSync(join(root, 'dotfile'), join(home, 'pml.json'));

    expect(() => prepareDataDir(at(home))).not.toThrow();
    expect(() => prepareDataDir(at(join(home, 'projects', 'a')))).not.toThrow();
  });

  test('a data directory in the home of PML is refused with any other link in it', async () => {
    const { root, home, at, fill } = await places();
    fill(home);
    symlinkSync(root, join(home, 'journal', 'away'));

    expect(() => prepareDataDir(at(home))).toThrow(join(home, 'journal', 'away'));
  });

  test('a data directory in the home of PML may be reached through a link', async () => {
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

test('a pipe in a data directory is refused, because opening it would block for ever', async () => {
  const { home, at, fill } = await places();
  fill(home);
  execFileSync('mkfifo', [join(home, 'pipe')]);

  expect(() => prepareDataDir(at(home))).toThrow('neither a file nor a folder');
});

test('a data directory that other users can read becomes private', async () => {
  const { home, at, fill } = await places();
  fill(home);
  chmodSync(home, 0o755);

  prepareDataDir(at(home));

  expect(statSync(home).mode & 0o777).toBe(0o700);
});

test('the error for a directory that PML cannot create names the path and the fix', async () => {
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
