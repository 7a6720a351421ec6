import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';

import { aTrace } from '../../../test/conformance/experience-store.js';
import { countTools } from '../../../test/helpers/count-tools.js';
import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { serverName, silentLogger as logger, toolId } from '../../core/index.js';
import { createStoreFolder, ensureDataDirectory } from '../data-directory.js';
import { createExperienceStore } from '../experience-store.js';
import { migrate } from '../migrate.js';
import { PgliteConnection } from '../pglite-connection.js';
import { createPgliteDialect } from '../pglite-dialect.js';
import type { Tables } from '../schema.js';
import { storePaths } from '../store-paths.js';
import { migrations } from './index.js';

test('calls of version 6 have no arguments, and new ones keep theirs', async () => {
  await using folder = await temporaryFolder();
  const paths = storePaths(folder.path);
  await createStoreFolder(paths);
  await ensureDataDirectory(paths, { template: await storeTemplate(), logger });
  await using pglite = await PgliteConnection.open(paths.cluster, logger);
  const db = new Kysely<Tables>({ dialect: createPgliteDialect(pglite) });
  await migrate(db, { logger, steps: migrations.slice(0, 6) });
  await sql`insert into execution_trace (id, intent, at, source, ok)
    values ('old', 'do old', '2026-11-02T08:00:00.123Z', 'live', true)`.execute(db);
  await sql`insert into execution_call (trace, position, tool, ok, ms)
    values ('old', 0, 'files:read', true, 12.5)`.execute(db);

  await migrate(db, { logger });

  const experience = createExperienceStore(db);
  const call = { tool: toolId(serverName('files'), 'list'), ok: true, args: { path: '/tmp' } };
  const added = aTrace('new', { calls: [call] });
  await experience.add([added], countTools);
  expect(await experience.load({ limit: 10 })).toStrictEqual([added, aTrace('old')]);
  await expect(sql.raw(`update execution_call set args = '[1]'`).execute(db)).rejects.toMatchObject(
    { code: '23514' },
  );
}, 60_000);
