import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { describeRunLog } from '../../test/conformance/run-log.js';
import { started } from '../../test/fixtures/journal/events.js';
import { A, openAt } from '../../test/helpers/journal.js';
import { temporaryFolder } from '../../test/helpers/temporary-folder.js';
import { silentLogger } from '../core/index.js';
import { openFileRunLog } from './file-run-log.js';
import { withChecksum } from './record.js';

const SMALL_SEGMENT = 700;

describeRunLog('files', () => createHarness());
describeRunLog('files, with many small segments', () => createHarness(SMALL_SEGMENT));

async function createHarness(segmentBytes?: number) {
  const folder = await temporaryFolder();
  const open = () =>
    openFileRunLog({
      directory: join(folder.path, 'journal'),
      log: silentLogger,
      ...(segmentBytes && { segmentBytes }),
    });
  let current = await open();
  return {
    log: current,
    async reopen() {
      await current[Symbol.asyncDispose]();
      current = await open();
      return current;
    },
    async [Symbol.asyncDispose]() {
      await current[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('the files', () => {
  test('journal files are for their owner only', async () => {
    await using folder = await temporaryFolder();
    const directory = join(folder.path, 'journal');
    await using log = await openAt(directory);

    await log.append(A, [started(A, 1)]);

    expect(await readdir(directory)).toEqual(['000001.log']);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, '000001.log'))).mode & 0o777).toBe(0o600);
  });

  test('journal files are not created before something is written', async () => {
    await using folder = await temporaryFolder();
    await using _log = await openAt(folder.path);

    expect(await readdir(folder.path)).toEqual([]);
  });

  test('journal files of a newer version are refused and left unchanged', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, '000001.log');
    // A valid checksum, so that only the version is wrong.
    const text = 'pml-journal 2 0 0';
    await writeFile(path, `${withChecksum(text)}\n`);

    await expect(openAt(folder.path)).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
      message: expect.stringContaining('version 2'),
    });
    expect(await readFile(path, 'utf8')).toContain(text);
  });

  test('journal files that cannot be created give an error with the path and the remedy', async () => {
    await using folder = await temporaryFolder();
    const directory = join(folder.path, 'file', 'journal');
    await writeFile(join(folder.path, 'file'), '');

    await expect(openAt(directory)).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
      message: expect.stringContaining(directory),
    });
  });
});

test('the journal leaves files alone that are not its own', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'notes.txt'), 'mine');
  await mkdir(join(folder.path, 'folder'));
  await using log = await openAt(folder.path);

  await log.append(A, [started(A, 1)]);

  expect(await readFile(join(folder.path, 'notes.txt'), 'utf8')).toBe('mine');
});
