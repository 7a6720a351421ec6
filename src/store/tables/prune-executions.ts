import { type Kysely, sql } from 'kysely';

import type { Tables } from '../schema.js';
import type { RowCounts } from './row-counts.js';

/** The number of executions to keep: as many as PML uses. */
const KEPT_EXECUTIONS = 20_000;
/** So many more may accumulate before pruning, so that it is worth the work. */
const SLACK = 1_000;
/** Few enough that others wait only briefly for the one connection of PGlite. */
const REMOVED_AT_ONCE = 250;

/** Executions to remove, and the rows that belong to them. */
export interface Leaving {
  readonly ids: readonly string[];
  readonly rows: RowCounts;
}

/** The oldest above the limit. None while the graph lacks executions: it is built from them. */
export async function chooseLeaving(
  db: Kysely<Tables>,
  { keep = KEPT_EXECUTIONS, slack = SLACK } = {},
): Promise<Leaving | undefined> {
  const { rows } = await sql<{ total: number; is_counted: boolean }>`
    select count(*)::int as total,
      count(*) = (select executions from graph_state) as is_counted
    from execution_trace`.execute(db);
  const { total = 0, is_counted: isCounted = false } = rows[0] ?? {};
  if (!isCounted || total <= keep + slack) return undefined;
  const leaving = await sql<{ id: string }>`
    select id from execution_trace order by at desc, id desc offset ${keep}`.execute(db);
  const ids = leaving.rows.map(({ id }) => id);
  const [calls, bindings] = await Promise.all([
    countOf(db, 'execution_call', ids),
    countOf(db, 'execution_binding', ids),
  ]);
  return {
    ids,
    rows: { execution_trace: ids.length, execution_call: calls, execution_binding: bindings },
  };
}

/** Removes executions, but keeps their counts in the graph. Returns how many it removed. */
export async function removeExecutions(
  db: Kysely<Tables>,
  { ids }: Leaving,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let start = 0; start < ids.length && !signal?.aborted; start += REMOVED_AT_ONCE) {
    const some = ids.slice(start, start + REMOVED_AT_ONCE);
    await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ id: string }>`
        delete from execution_trace where id = any(${some}::text[]) returning id`.execute(trx);
      await sql`update graph_state set executions = executions - ${rows.length}::int`.execute(trx);
      removed += rows.length;
    });
  }
  return removed;
}

async function countOf(
  db: Kysely<Tables>,
  table: 'execution_call' | 'execution_binding',
  ids: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}
    where trace = any(${ids}::text[])`.execute(db);
  return rows[0]?.count ?? 0;
}
