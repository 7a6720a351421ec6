import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';

import { aTrace } from '../../../test/conformance/experience-store.js';
import { countTools } from '../../../test/helpers/count-tools.js';
import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { runId, silentLogger as logger } from '../../core/index.js';
import { createStoreFolder, ensureDataDirectory } from '../data-directory.js';
import { createExperienceStore } from '../experience-store.js';
import { migrate } from '../migrate.js';
import { PgliteConnection } from '../pglite-connection.js';
import { createPgliteDialect } from '../pglite-dialect.js';
import type { Tables } from '../schema.js';
import { storePaths } from '../store-paths.js';
import { migrations } from './index.js';

test('keeps executions of version 2 as they are, and refuses what makes no sense', async () => {
  await using folder = await temporaryFolder();
  const paths = storePaths(folder.path);
  await createStoreFolder(paths);
  await ensureDataDirectory(paths, { template: await storeTemplate(), logger });
  await using pglite = await PgliteConnection.open(paths.cluster, logger);
  const db = new Kysely<Tables>({ dialect: createPgliteDialect(pglite) });
  await migrate(db, { logger, steps: migrations.slice(0, 2) });
  const old = aTrace('old');
  await sql`insert into execution_trace (id, intent, at, source, ok)
    values ('old', 'do old', ${old.at.toISOString()}::timestamptz, 'live', true)`.execute(db);
  await sql`insert into execution_call (trace, position, tool, ok, ms)
    values ('old', 0, 'files:read', true, 12.5)`.execute(db);

  await migrate(db, { logger });

  const experience = createExperienceStore(db);
  const added = aTrace('new', { run: runId('r'), at: new Date('2026-11-03T08:00:00Z') });
  expect(await experience.add([added], countTools)).toEqual(['new']);
  expect(await experience.load({ limit: 10 })).toStrictEqual([old, added]);
  await expect(
    sql`update execution_trace set run = 'r' where id = 'old'`.execute(db),
  ).rejects.toMatchObject({ code: '23505' });
  for (const change of ['parent = 0', 'parent = -1', "error_type = 'bad luck'"]) {
    const changing = sql`update execution_call set ${sql.raw(change)}`.execute(db);
    await expect(changing).rejects.toMatchObject({ code: '23514' });
  }
}, 60_000);
