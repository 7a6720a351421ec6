import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';

import type { ExecutionTrace, ExperienceStore } from '../core/index.js';
import {
  bindingColumns,
  callColumns,
  checkPlaces,
  toTrace,
  traceColumns,
  type TraceRow,
  traceSize,
  uniqueTraces,
} from './experience-rows.js';
import { readNewest } from './read-newest.js';
import { rowChunks } from './row-chunks.js';
import type { Tables } from './schema.js';
import { attempt } from './store-errors.js';

/** Past executions in SQL, the same for PGlite and PostgreSQL. They are never changed or removed. */
export function createExperienceStore(db: Kysely<Tables>): ExperienceStore {
  return {
    load: ({ limit }) =>
      attempt('load past executions', async () =>
        (await readNewest(db, limit, selectTraces)).toReversed().map(toTrace),
      ),

    add: (traces) =>
      attempt('store executions', async () => {
        traces.forEach(checkPlaces);
        return db.transaction().execute((trx) => writeTraces(trx, uniqueTraces(traces)));
      }),

    count: () =>
      attempt('count past executions', async () => {
        const { rows } = await sql<{
          count: number;
        }>`select count(*)::int as count from execution_trace`.execute(db);
        return rows[0]?.count ?? 0;
      }),
  };
}

async function selectTraces(
  db: Kysely<Tables>,
  older: RawBuilder<boolean>,
  count: number,
): Promise<readonly TraceRow[]> {
  const { rows } = await sql<TraceRow>`
    select id, intent, at, source, ok, group_name, run, ms, decisions::text as decisions,
      (select json_agg(json_build_array(call.tool, call.ok, call.ms, call.start_ms, call.parent,
          call.error_type) order by position)
        from execution_call as call where call.trace = execution_trace.id)::text as calls,
      (select json_agg(json_build_array(producer, consumer, field, param) order by position)
        from execution_binding as binding where binding.trace = execution_trace.id)::text
        as bindings
    from execution_trace where ${older}
    order by at desc, id desc limit ${count}`.execute(db);
  return rows;
}

async function writeTraces(
  trx: Transaction<Tables>,
  traces: readonly ExecutionTrace[],
): Promise<number> {
  let added = 0;
  for (const chunk of rowChunks(traces, traceSize)) {
    const ids = await insertTraces(trx, traceColumns(chunk));
    const fresh = chunk.filter(({ id }) => ids.has(id));
    await insertCalls(trx, callColumns(fresh));
    await insertBindings(trx, bindingColumns(fresh));
    added += fresh.length;
  }
  return added;
}

/** Returns the ids of those that were not there yet, neither by id nor by run. */
async function insertTraces(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof traceColumns>,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into execution_trace (id, intent, at, source, ok, group_name, run, ms, decisions)
    select id, intent, at, source, ok, group_name, run, ms, decisions::json from unnest(
      ${columns.id}::text[], ${columns.intent}::text[], ${columns.at}::timestamptz[],
      ${columns.source}::text[], ${columns.ok}::boolean[], ${columns.group}::text[],
      ${columns.run}::text[], ${columns.ms}::float8[], ${columns.decisions}::text[]
    ) as row (id, intent, at, source, ok, group_name, run, ms, decisions)
    on conflict do nothing
    returning id`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

async function insertCalls(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof callColumns>,
): Promise<void> {
  await sql`
    insert into execution_call (trace, position, tool, ok, ms, start_ms, parent, error_type)
    select * from unnest(
      ${columns.trace}::text[], ${columns.position}::int[], ${columns.tool}::text[],
      ${columns.ok}::boolean[], ${columns.ms}::float8[], ${columns.startMs}::float8[],
      ${columns.parent}::int[], ${columns.errorType}::text[]
    )`.execute(trx);
}

async function insertBindings(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof bindingColumns>,
): Promise<void> {
  await sql`
    insert into execution_binding (trace, position, producer, consumer, field, param)
    select * from unnest(
      ${columns.trace}::text[], ${columns.position}::int[], ${columns.producer}::int[],
      ${columns.consumer}::int[], ${columns.field}::text[], ${columns.param}::text[]
    )`.execute(trx);
}
