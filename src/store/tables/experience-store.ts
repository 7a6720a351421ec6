import { type Kysely, sql, type Transaction } from 'kysely';

import type { ExecutionTrace, ExperienceStore } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { attempt } from '../store-errors.js';
import {
  bindingColumns,
  callColumns,
  checkPlaces,
  toTrace,
  traceColumns,
  traceSize,
  uniqueTraces,
} from './experience-rows.js';
import { addToGraph } from './graph/write-graph.js';
import { readNewest } from './read-newest.js';
import { rowChunks } from './row-chunks.js';
import { selectTraces } from './select-traces.js';
import { storable } from './storable-text.js';

/** Past executions in SQL, the same for PGlite and PostgreSQL. They are never changed. */
export function createExperienceStore(db: Kysely<Tables>): ExperienceStore {
  return {
    load: ({ limit, owner }) =>
      attempt('load past executions', async () => {
        const isOwned = owner === undefined ? sql`owner is null` : sql`owner = ${owner}`;
        const rows = await readNewest(db, limit, (view, older, count) =>
          selectTraces(view, sql<boolean>`${isOwned} and ${older}`, count),
        );
        return rows.toReversed().map(toTrace);
      }),

    add: (traces, graphOf) =>
      attempt('store executions', async () => {
        traces.forEach(checkPlaces);
        const added = await db.transaction().execute(async (trx) => {
          const fresh = await writeTraces(trx, uniqueTraces(traces));
          if (fresh.length > 0) await addToGraph(trx, graphOf(fresh), fresh.length);
          return fresh;
        });
        return givenIds(traces, added);
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

/** The ids by which the caller knows those that were added. */
function givenIds(
  given: readonly ExecutionTrace[],
  added: readonly ExecutionTrace[],
): readonly string[] {
  const ids = new Map(given.toReversed().map(({ id }) => [storable(id), id]));
  return added.map(({ id }) => ids.get(id)!);
}

/** Gives those that were not there yet. */
async function writeTraces(
  trx: Transaction<Tables>,
  traces: readonly ExecutionTrace[],
): Promise<readonly ExecutionTrace[]> {
  const added: ExecutionTrace[] = [];
  for (const chunk of rowChunks(traces, traceSize)) {
    const ids = await insertTraces(trx, traceColumns(chunk));
    const fresh = chunk.filter(({ id }) => ids.has(id));
    await insertCalls(trx, callColumns(fresh));
    await insertBindings(trx, bindingColumns(fresh));
    added.push(...fresh);
  }
  return added;
}

/** Returns the ids of those that were not there yet, neither by id nor by run. */
async function insertTraces(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof traceColumns>,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into execution_trace
      (id, intent, at, source, ok, group_name, run, ms, decisions, called_before, has_origins,
        owner)
    select id, intent, at, source, ok, group_name, run, ms, decisions::json, called_before::json,
      has_origins, owner
    from unnest(
      ${columns.id}::text[], ${columns.intent}::text[], ${columns.at}::timestamptz[],
      ${columns.source}::text[], ${columns.ok}::boolean[], ${columns.group}::text[],
      ${columns.run}::text[], ${columns.ms}::float8[], ${columns.decisions}::text[],
      ${columns.before}::text[], ${columns.hasOrigins}::boolean[], ${columns.owner}::text[]
    ) as row (id, intent, at, source, ok, group_name, run, ms, decisions, called_before,
      has_origins, owner)
    on conflict do nothing
    returning id`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

async function insertCalls(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof callColumns>,
): Promise<void> {
  await sql`
    insert into execution_call
      (trace, position, tool, ok, ms, start_ms, parent, error_type, args, origins, error_message)
    select trace, position, tool, ok, ms, start_ms, parent, error_type, args::json, origins::json,
      error_message
    from unnest(
      ${columns.trace}::text[], ${columns.position}::int[], ${columns.tool}::text[],
      ${columns.ok}::boolean[], ${columns.ms}::float8[], ${columns.startMs}::float8[],
      ${columns.parent}::int[], ${columns.errorType}::text[], ${columns.args}::text[],
      ${columns.origins}::text[], ${columns.errorMessage}::text[]
    ) as row (trace, position, tool, ok, ms, start_ms, parent, error_type, args, origins,
      error_message)`.execute(trx);
}

async function insertBindings(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof bindingColumns>,
): Promise<void> {
  await sql`
    insert into execution_binding (trace, position, producer, consumer, field, param, part, origin)
    select trace, position, producer, consumer, field, param, part::json, origin::json from unnest(
      ${columns.trace}::text[], ${columns.position}::int[], ${columns.producer}::int[],
      ${columns.consumer}::int[], ${columns.field}::text[], ${columns.param}::text[],
      ${columns.part}::text[], ${columns.origin}::text[]
    ) as row (trace, position, producer, consumer, field, param, part, origin)`.execute(trx);
}
