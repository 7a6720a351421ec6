import fs from 'node:fs';
import { join } from 'node:path';

import { PGlite } from '@electric-sql/pglite';
import { expect, test, vi } from 'vitest';

import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { unpackArchive } from './data-directory.js';
import { DurableNodeFS, START_PARAMETERS } from './durable-node-fs.js';

// covers: STORE-DURABLE
test('a commit reaches the disk before it is acknowledged, a query costs no sync', async () => {
  await using folder = await temporaryFolder();
  const directory = join(folder.path, 'pg');
  await unpackArchive(await storeTemplate(), directory);
  const database = await PGlite.create({
    fs: new DurableNodeFS(directory),
    startParams: START_PARAMETERS,
  });
  await database.exec('create table note (text text)');
  const sync = vi.spyOn(fs, 'fsyncSync');

  await database.query('select * from note');
  expect(sync).not.toHaveBeenCalled();
  await database.query(`insert into note values ('kept')`);
  expect(sync).toHaveBeenCalled();

  sync.mockRestore();
  await database.close();
}, 60_000);
