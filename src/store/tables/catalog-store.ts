import { type Kysely, sql, type Transaction } from 'kysely';

import type { CatalogStore, CatalogUpdate, ServerName } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { attempt } from '../store-errors.js';
import {
  changeColumns,
  serverRow,
  toChange,
  toolColumns,
  toServer,
  toTool,
  withUniqueIds,
} from './catalog-rows.js';

/** Keeps one statement at about a megabyte: PGlite's memory never shrinks again. */
const ROWS_PER_STATEMENT = 500;

/** The catalog in SQL, the same for PGlite and PostgreSQL. */
export function createCatalogStore(db: Kysely<Tables>): CatalogStore {
  return {
    load: () =>
      attempt('load the catalog', async () => {
        // One view of both tables: a save in between would give tools without their server.
        const view = db.transaction().setIsolationLevel('repeatable read');
        return view.execute(async (trx) => ({
          servers: (await selectServers(trx)).map(toServer),
          tools: (await selectTools(trx)).map(toTool),
        }));
      }),

    save: (update) =>
      attempt(`save the tools of ${update.server.name}`, () =>
        db.transaction().execute((trx) => writeUpdate(trx, update)),
      ),

    removeServer: (server) =>
      attempt(`remove ${server} from the catalog`, async () => {
        await db.deleteFrom('server').where('name', '=', server).execute();
      }),

    changes: ({ tool, limit }) =>
      attempt('read the change history', async () => {
        const all = db
          .selectFrom('tool_change')
          .select([
            'tool',
            'at',
            'kind',
            'old_hash',
            'new_hash',
            sql<string>`diff::text`.as('diff'),
          ])
          .orderBy('at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit);
        const query = tool === undefined ? all : all.where('tool', '=', tool);
        return (await query.execute()).map(toChange);
      }),
  };
}

function selectServers(db: Kysely<Tables>) {
  return db
    .selectFrom('server')
    .select(['name', 'config_hash', 'probed_at', 'first_seen', 'last_seen'])
    .select([sql<string>`listing::text`.as('listing'), sql<string>`eras::text`.as('eras')])
    .orderBy(sql`name collate "C"`)
    .execute();
}

function selectTools(db: Kysely<Tables>) {
  return db
    .selectFrom('tool')
    .select(['id', 'server', 'hash', 'status', 'reason', 'first_seen', 'last_seen'])
    .select(sql<string>`definition::text`.as('definition'))
    .orderBy(sql`server collate "C"`)
    .orderBy('position')
    .execute();
}

async function writeUpdate(trx: Transaction<Tables>, update: CatalogUpdate): Promise<void> {
  const { server, changes } = update;
  const tools = withUniqueIds(update.tools);
  await upsertServer(trx, server);
  await deleteOtherTools(trx, server.name, toolColumns(tools, 0).id);
  for (let start = 0; start < tools.length; start += ROWS_PER_STATEMENT) {
    await upsertTools(trx, toolColumns(tools.slice(start, start + ROWS_PER_STATEMENT), start));
  }
  for (let start = 0; start < changes.length; start += ROWS_PER_STATEMENT) {
    await insertChanges(trx, changeColumns(changes.slice(start, start + ROWS_PER_STATEMENT)));
  }
}

async function upsertServer(
  trx: Transaction<Tables>,
  server: CatalogUpdate['server'],
): Promise<void> {
  const { name, ...rest } = serverRow(server);
  await trx
    .insertInto('server')
    .values({ name, ...rest })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(rest))
    .execute();
}

async function deleteOtherTools(
  trx: Transaction<Tables>,
  server: ServerName,
  keep: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('tool')
    .where('server', '=', server)
    .where(sql<boolean>`not (id = any(${keep}::text[]))`)
    .execute();
}

/** One array per column: one statement and nine parameters for any number of rows. */
async function upsertTools(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof toolColumns>,
): Promise<void> {
  await sql`
    insert into tool
      (id, server, position, definition, hash, status, reason, first_seen, last_seen)
    select id, server, position, definition::json, hash, status, reason, first_seen, last_seen
    from unnest(
      ${columns.id}::text[], ${columns.server}::text[], ${columns.position}::int[],
      ${columns.definition}::text[], ${columns.hash}::text[], ${columns.status}::text[],
      ${columns.reason}::text[], ${columns.firstSeen}::timestamptz[],
      ${columns.lastSeen}::timestamptz[]
    ) as row (id, server, position, definition, hash, status, reason, first_seen, last_seen)
    on conflict (id) do update set
      server = excluded.server, position = excluded.position, definition = excluded.definition,
      hash = excluded.hash, status = excluded.status, reason = excluded.reason,
      first_seen = excluded.first_seen, last_seen = excluded.last_seen`.execute(trx);
}

async function insertChanges(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof changeColumns>,
): Promise<void> {
  await sql`
    insert into tool_change (tool, at, kind, old_hash, new_hash, diff)
    select tool, at, kind, old_hash, new_hash, diff::json
    from unnest(
      ${columns.tool}::text[], ${columns.at}::timestamptz[], ${columns.kind}::text[],
      ${columns.oldHash}::text[], ${columns.newHash}::text[], ${columns.diff}::text[]
    ) with ordinality as row (tool, at, kind, old_hash, new_hash, diff, place)
    order by place`.execute(trx);
}
