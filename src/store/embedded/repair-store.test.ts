import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';

import { aChange, aServer, aTool } from '../../../test/fixtures/store/samples.js';
import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { silentLogger } from '../../core/index.js';
import { EmbeddedCluster } from './embedded-cluster.js';
import { createEmbeddedStore } from './embedded-store.js';
import { repairStore } from './repair-store.js';
import { storePaths } from './store-paths.js';

let template: string;
beforeAll(async () => void (template = await storeTemplate()), 120_000);

const logger = silentLogger;
const save = (server: string) => {
  const tool = aTool(server, 'tool');
  return { server: aServer(server), tools: [tool], changes: [aChange(tool)] };
};

// covers: STORE-REPAIR
test('repair restores the newest snapshot that works and keeps the damaged data', async () => {
  await using folder = await temporaryFolder();
  const options = { dataDir: folder.path, logger, template };
  const paths = storePaths(folder.path);
  {
    await using store = await createEmbeddedStore(options);
    await store.catalog.save(save('first'));
    await store.snapshot();
    await store.catalog.save(save('second'));
    const newest = await store.snapshot();
    await writeFile(newest?.path ?? '', 'cut off');
  }
  expect(await repairStore(options)).toEqual({ outcome: 'healthy' });
  await rm(join(paths.cluster, 'PG_VERSION'));

  const report = await repairStore(options);

  expect(report).toMatchObject({
    outcome: 'restored',
    problem: expect.stringContaining('no PG_VERSION'),
    rejected: [{ reason: 'its checksum does not match' }],
  });
  if (report.outcome !== 'restored') throw new Error('unreachable');
  expect(await readdir(report.movedTo)).toEqual(['counts.json', 'pg']);
  expect(await readdir(join(report.movedTo, 'pg'))).toContain('base');
  await using store = await createEmbeddedStore(options);
  expect((await store.catalog.load()).servers.map(({ name }) => name)).toEqual(['first']);
}, 60_000);

test('repair detects a truncated table, which PGlite opens without complaint, and starts empty', async () => {
  await using folder = await temporaryFolder();
  const options = { dataDir: folder.path, logger, template };
  const paths = storePaths(folder.path);
  {
    await using store = await createEmbeddedStore(options);
    await store.catalog.save(save('lost'));
  }
  await truncate(join(paths.cluster, await fileOf('tool_change', folder.path)), 0);

  const opening = createEmbeddedStore(options);
  await expect(opening).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    message: expect.stringContaining('Table tool_change has 0 rows, 1 were recorded'),
  });
  const report = await repairStore(options);

  expect(report).toMatchObject({ outcome: 'recreated', rejected: [] });
  await using store = await createEmbeddedStore(options);
  expect(await store.catalog.load()).toEqual({ servers: [], tools: [] });
}, 60_000);

async function fileOf(table: string, dataDir: string): Promise<string> {
  const paths = storePaths(dataDir);
  await using cluster = await EmbeddedCluster.open({ paths, logger, now: () => new Date() });
  const { rows } = await sql<{
    path: string;
  }>`select pg_relation_filepath(${table}) as path`.execute(cluster.db);
  return rows[0]?.path ?? '';
}
