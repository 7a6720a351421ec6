import { sql, type Transaction } from 'kysely';

import type { GraphDelta } from '../../../core/index.js';
import type { Tables } from '../../schema.js';
import { rowChunks } from '../row-chunks.js';
import { edgeColumns, nodeColumns, storableDelta } from './graph-rows.js';

/** Adds what so many executions told, which are stored in the same transaction. */
export async function addToGraph(
  trx: Transaction<Tables>,
  delta: GraphDelta,
  executions: number,
): Promise<void> {
  await addRows(trx, delta);
  await sql`update graph_state set executions = executions + ${executions}::int`.execute(trx);
}

/** Puts what all executions told in the place of what is there. */
export async function replaceGraph(trx: Transaction<Tables>, delta: GraphDelta): Promise<void> {
  await sql`delete from graph_node`.execute(trx);
  await sql`delete from graph_edge`.execute(trx);
  await addRows(trx, delta);
}

async function addRows(trx: Transaction<Tables>, delta: GraphDelta): Promise<void> {
  const { nodes, edges } = storableDelta(delta);
  for (const chunk of rowChunks(nodes, ({ id }) => 100 + id.length)) {
    await upsertNodes(trx, nodeColumns(chunk));
  }
  for (const chunk of rowChunks(edges, ({ from, to }) => 100 + from.length + to.length)) {
    await upsertEdges(trx, edgeColumns(chunk));
  }
}

async function upsertNodes(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof nodeColumns>,
): Promise<void> {
  await sql`
    insert into graph_node as node (id, calls, failures, repeats, runs, total_ms, last_at)
    select * from unnest(
      ${columns.id}::text[], ${columns.calls}::bigint[], ${columns.failures}::bigint[],
      ${columns.repeats}::bigint[], ${columns.runs}::bigint[], ${columns.totalMs}::float8[],
      ${columns.lastAt}::float8[]
    )
    on conflict (id) do update set
      calls = node.calls + excluded.calls,
      failures = node.failures + excluded.failures,
      repeats = node.repeats + excluded.repeats,
      runs = node.runs + excluded.runs,
      total_ms = node.total_ms + excluded.total_ms,
      last_at = greatest(node.last_at, excluded.last_at)`.execute(trx);
}

async function upsertEdges(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof edgeColumns>,
): Promise<void> {
  await sql`
    insert into graph_edge as edge (from_id, to_id, type, observed, failed, last_at)
    select * from unnest(
      ${columns.from}::text[], ${columns.to}::text[], ${columns.type}::text[],
      ${columns.observed}::bigint[], ${columns.failed}::bigint[], ${columns.lastAt}::float8[]
    )
    on conflict (from_id, to_id, type) do update set
      observed = edge.observed + excluded.observed,
      failed = edge.failed + excluded.failed,
      last_at = greatest(edge.last_at, excluded.last_at)`.execute(trx);
}
