import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';

import { aCapability } from '../../../test/helpers/capability-samples.js';
import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { silentLogger as logger } from '../../core/index.js';
import { createCapabilityStore } from '../capability-store.js';
import { createStoreFolder, ensureDataDirectory } from '../data-directory.js';
import { migrate } from '../migrate.js';
import { PgliteConnection } from '../pglite-connection.js';
import { createPgliteDialect } from '../pglite-dialect.js';
import type { Tables } from '../schema.js';
import { storePaths } from '../store-paths.js';
import { migrations } from './index.js';

test('comes after version 3, and has the database refuse what makes no sense', async () => {
  await using folder = await temporaryFolder();
  const paths = storePaths(folder.path);
  await createStoreFolder(paths);
  await ensureDataDirectory(paths, { template: await storeTemplate(), logger });
  await using pglite = await PgliteConnection.open(paths.cluster, logger);
  const db = new Kysely<Tables>({ dialect: createPgliteDialect(pglite) });
  await migrate(db, { logger, steps: migrations.slice(0, 3) });

  await migrate(db, { logger });

  const store = createCapabilityStore(db);
  const kept = aCapability('kept');
  await store.save({ write: [kept], remove: [], forget: [], uses: [] });
  for (const change of [
    "update capability set status = 'disabled'",
    "update capability set cause = 'failures'",
    'update capability_version set successes = uses + 1',
  ]) {
    await expect(sql.raw(change).execute(db)).rejects.toMatchObject({ code: '23514' });
  }
  for (const change of [
    "update capability set current_identity = 'none'",
    'delete from capability_version',
  ]) {
    await expect(sql.raw(change).execute(db)).rejects.toMatchObject({ code: '23503' });
  }
  expect(await store.load()).toEqual([kept]);
}, 60_000);
