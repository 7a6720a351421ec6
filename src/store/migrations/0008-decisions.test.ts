import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';

import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { type RunId, silentLogger as logger, type ToolId } from '../../core/index.js';
import { createStoreFolder, ensureDataDirectory } from '../data-directory.js';
import { migrate } from '../migrate.js';
import { PgliteConnection } from '../pglite-connection.js';
import { createPgliteDialect } from '../pglite-dialect.js';
import { createRankingStore } from '../ranking-store.js';
import type { Tables } from '../schema.js';
import { storePaths } from '../store-paths.js';
import { migrations } from './index.js';

test('decisions of version 7 stay as they are, and can be told more of', async () => {
  await using folder = await temporaryFolder();
  const paths = storePaths(folder.path);
  await createStoreFolder(paths);
  await ensureDataDirectory(paths, { template: await storeTemplate(), logger });
  await using pglite = await PgliteConnection.open(paths.cluster, logger);
  const db = new Kysely<Tables>({ dialect: createPgliteDialect(pglite) });
  await migrate(db, { logger, steps: migrations.slice(0, 7) });
  await sql`insert into algorithm_trace (id, at, algorithm, intent, model, weights, candidates,
      shown, outcome_tool, outcome_place, outcome_ok)
    values ('old', '2026-11-02T08:00:00.123Z', 'discover', 'read', 'cold', '{}', '[]', 1,
      'files:read', 1, true)`.execute(db);

  await migrate(db, { logger });

  const ranking = createRankingStore(db);
  const old = {
    id: 'old',
    at: new Date('2026-11-02T08:00:00.123Z'),
    algorithm: 'discover',
    intent: 'read',
    model: 'cold',
    weights: {},
    candidates: [],
    shown: 1,
    outcome: { tool: 'files:read' as ToolId, place: 1, ok: true },
  } as const;
  expect(await ranking.traces({ limit: 10 })).toStrictEqual([old]);
  const outcome = { ...old.outcome, match: 'exact', run: 'run_0123456789ab' as RunId } as const;
  await ranking.setOutcome('old', outcome);
  expect(await ranking.traces({ limit: 10, judged: true })).toStrictEqual([{ ...old, outcome }]);
  await expect(sql`update algorithm_trace set confidence = 1`.execute(db)).rejects.toMatchObject({
    code: '23514',
  });
}, 60_000);
