import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';

import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { silentLogger as logger } from '../../core/index.js';
import { createStoreFolder, ensureDataDirectory } from '../data-directory.js';
import { migrate } from '../migrate.js';
import { PgliteConnection } from '../pglite-connection.js';
import { createPgliteDialect } from '../pglite-dialect.js';
import { createResultStore } from '../result-store.js';
import type { Tables } from '../schema.js';
import { storePaths } from '../store-paths.js';
import { migrations } from './index.js';

test('comes after version 4, has the database refuse what makes no sense, and frees what expired', async () => {
  await using folder = await temporaryFolder();
  const paths = storePaths(folder.path);
  await createStoreFolder(paths);
  await ensureDataDirectory(paths, { template: await storeTemplate(), logger });
  await using pglite = await PgliteConnection.open(paths.cluster, logger);
  const db = new Kysely<Tables>({ dialect: createPgliteDialect(pglite) });
  await migrate(db, { logger, steps: migrations.slice(0, 4) });

  await migrate(db, { logger });

  const store = createResultStore(db);
  const [createdAt, expiresAt] = [new Date(0), new Date(2_000)];
  const kept = { handle: 'r_1', text: 'kept', mimeType: 'text/plain', createdAt, expiresAt };
  await store.save(kept);
  for (const change of [
    'update result_blob set bytes = -1',
    "update result_blob set gone = 'eaten'",
    'update result_part set position = -1',
  ]) {
    await expect(sql.raw(change).execute(db)).rejects.toMatchObject({ code: '23514' });
  }
  await expect(
    sql`insert into result_part (handle, position, content) values ('r_2', 0, '')`.execute(db),
  ).rejects.toMatchObject({ code: '23503' });
  expect(await store.load('r_1', new Date(1_000))).toMatchObject({ text: 'kept' });
  const [now, forgetBefore] = [expiresAt, createdAt];
  await store.prune({ now, maxBytes: 1e9, forgetBefore });
  expect(await db.selectFrom('result_part').selectAll().execute()).toEqual([]);
}, 60_000);
