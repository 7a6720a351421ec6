import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';

import { aTrace } from '../../../test/conformance/experience-store.js';
import { countTools } from '../../../test/helpers/count-tools.js';
import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { serverName, silentLogger as logger, toolId } from '../../core/index.js';
import { createStoreFolder, ensureDataDirectory } from '../data-directory.js';
import { createExperienceStore } from '../experience-store.js';
import { createGraphStore } from '../graph-store.js';
import { migrate } from '../migrate.js';
import { PgliteConnection } from '../pglite-connection.js';
import { createPgliteDialect } from '../pglite-dialect.js';
import type { Tables } from '../schema.js';
import { storePaths } from '../store-paths.js';
import { migrations } from './index.js';

test('knows that executions of version 5 are not in the graph, until it is made anew', async () => {
  await using folder = await temporaryFolder();
  const paths = storePaths(folder.path);
  await createStoreFolder(paths);
  await ensureDataDirectory(paths, { template: await storeTemplate(), logger });
  await using pglite = await PgliteConnection.open(paths.cluster, logger);
  const db = new Kysely<Tables>({ dialect: createPgliteDialect(pglite) });
  await migrate(db, { logger, steps: migrations.slice(0, 5) });
  await sql`insert into execution_trace (id, intent, at, source, ok)
    values ('old', 'do old', '2026-11-02T08:00:00.123Z', 'live', true)`.execute(db);
  await sql`insert into execution_call (trace, position, tool, ok, ms)
    values ('old', 0, 'files:read', true, 12.5)`.execute(db);

  await migrate(db, { logger });

  const graph = createGraphStore(db);
  expect(await graph.load()).toEqual({ nodes: [], edges: [] });
  expect(await graph.isComplete()).toBe(false);
  const list = { tool: toolId(serverName('files'), 'list'), ok: true };
  const added = aTrace('new', { calls: [list] });
  await createExperienceStore(db).add([added], countTools);
  expect(await graph.isComplete(), 'what is added does not make up for what is missing').toBe(
    false,
  );
  expect(await graph.rebuild(countTools)).toEqual({ executions: 2, differing: 1 });
  expect(await graph.isComplete()).toBe(true);
  expect((await graph.load()).nodes).toMatchObject([
    { id: 'files:list', calls: 1 },
    { id: 'files:read', calls: 1, totalMs: 12.5 },
  ]);
  for (const change of [
    "update graph_node set calls = -1 where id = 'files:read'",
    "insert into graph_edge values ('a', 'b', 'friends', 1, 0, 0)",
    'insert into graph_state (executions) values (1)',
  ]) {
    const code = change.includes('state') ? '23505' : '23514';
    await expect(sql.raw(change).execute(db)).rejects.toMatchObject({ code });
  }
}, 60_000);

test('has nothing to make anew in a new store', async () => {
  await using folder = await temporaryFolder();
  const paths = storePaths(folder.path);
  await createStoreFolder(paths);
  await ensureDataDirectory(paths, { template: await storeTemplate(), logger });
  await using pglite = await PgliteConnection.open(paths.cluster, logger);
  const db = new Kysely<Tables>({ dialect: createPgliteDialect(pglite) });

  await migrate(db, { logger });

  expect(await createGraphStore(db).isComplete()).toBe(true);
}, 60_000);
