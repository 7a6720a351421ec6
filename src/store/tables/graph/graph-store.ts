import { type Kysely, sql, type Transaction } from 'kysely';

import type { GraphRebuilt, GraphStore, RebuildOptions } from '../../../core/index.js';
import type { Tables } from '../../schema.js';
import { attempt } from '../../store-errors.js';
import { ExecutionSum } from './graph-execution-sum.js';
import { storableDelta } from './graph-rows.js';
import { countDiffering, withoutLoss } from './graph-sum.js';
import { readGraph } from './read-graph.js';
import { replaceGraph } from './write-graph.js';

/** The graph in SQL, the same for PGlite and PostgreSQL. */
export function createGraphStore(db: Kysely<Tables>): GraphStore {
  return {
    load: () =>
      attempt('load the graph', () =>
        db.transaction().setIsolationLevel('repeatable read').execute(readGraph),
      ),

    isComplete: () =>
      attempt('look at the graph', async () => {
        const { rows } = await sql<{ is_complete: boolean }>`
          select (select executions from graph_state) = (select count(*) from execution_trace)
            as is_complete`.execute(db);
        return rows[0]?.is_complete === true;
      }),

    rebuild: (graphOf, options = {}) =>
      attempt('rebuild the graph', async () => {
        const sum = new ExecutionSum(graphOf, options);
        await sum.addAll(db);
        return db.transaction().execute((trx) => replaceBy(trx, sum, options));
      }),
  };
}

/** Nearly all executions are already read: other writers wait only for the rest and the write. */
async function replaceBy(
  trx: Transaction<Tables>,
  sum: ExecutionSum,
  { signal, keepsMore = false }: RebuildOptions,
): Promise<GraphRebuilt> {
  // Other writers of executions and other rebuilds wait.
  await sql`lock table execution_trace in share row exclusive mode`.execute(trx);
  await sum.addMissing(trx);
  await sum.check(trx);
  const { executions } = sum;
  const before = await readGraph(trx);
  const made = storableDelta(sum.total);
  const { graph, kept } = keepsMore ? withoutLoss(before, made) : { graph: made, kept: 0 };
  const differing = countDiffering(before, graph);
  signal?.throwIfAborted();
  if (differing > 0) await replaceGraph(trx, graph);
  await sql`update graph_state set executions = ${executions}::int`.execute(trx);
  return { executions, differing, ...(kept > 0 && { kept }) };
}
