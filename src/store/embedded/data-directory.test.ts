import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { silentLogger } from '../../core/index.js';
import { ensureDataDirectory } from './data-directory.js';
import { createEmbeddedStore } from './embedded-store.js';
import { storePaths } from './store-paths.js';

let template: string;
beforeAll(async () => void (template = await storeTemplate()), 120_000);

async function clusterWith(dataDir: string, files: Readonly<Record<string, string>>) {
  const paths = storePaths(dataDir);
  await mkdir(paths.cluster, { recursive: true });
  for (const [name, text] of Object.entries(files))
    await writeFile(join(paths.cluster, name), text);
  return paths;
}

// covers: STORE-GUARDED
test('data directory is never initialised over files that lack PG_VERSION', async () => {
  await using folder = await temporaryFolder();
  const paths = await clusterWith(folder.path, { 'postgresql.conf': 'mine' });

  const opening = createEmbeddedStore({ dataDir: folder.path, logger: silentLogger, template });

  await expect(opening).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    message: expect.stringContaining('pml doctor --repair'),
  });
  expect(await readdir(paths.cluster)).toEqual(['postgresql.conf']);
  expect(await readdir(paths.root), 'the lock must be released').toEqual(['pg']);
});

test('data directory of another PostgreSQL version or with an unreadable PG_VERSION is refused', async () => {
  await using folder = await temporaryFolder();
  const paths = await clusterWith(folder.path, { PG_VERSION: '15\n' });
  const ensure = () => ensureDataDirectory(paths, { template, logger: silentLogger });

  await expect(ensure()).rejects.toMatchObject({
    code: 'STORE_FAILED',
    message: expect.stringContaining('written by PostgreSQL 15, this pml reads 18'),
  });
  await writeFile(join(paths.cluster, 'PG_VERSION'), '');
  await expect(ensure()).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
});

test('empty data directory is filled, and unfinished drafts and an empty postmaster.pid are removed', async () => {
  await using folder = await temporaryFolder();
  const paths = await clusterWith(folder.path, {});
  await mkdir(join(paths.root, 'pg.new-unfinished/base'), { recursive: true });

  await ensureDataDirectory(paths, { template, logger: silentLogger });
  await writeFile(join(paths.cluster, 'postmaster.pid'), '');
  await using store = await createEmbeddedStore({
    dataDir: folder.path,
    logger: silentLogger,
    template,
  });

  expect((await store.info()).counts).toMatchObject({ server: 0, tool: 0, tool_change: 0 });
  expect((await readdir(paths.root)).toSorted()).toEqual(['owner.lock', 'pg']);
});

test('damaged template is reported and leaves no data directory behind', async () => {
  await using folder = await temporaryFolder();
  const broken = join(folder.path, 'broken.tar.gz');
  await writeFile(broken, 'not a gzip file');
  const paths = await clusterWith(folder.path, {});

  const ensuring = ensureDataDirectory(paths, { template: broken, logger: silentLogger });

  await expect(ensuring).rejects.toThrow('incorrect header check');
  expect(await readdir(paths.root)).toEqual(['pg']);
});
