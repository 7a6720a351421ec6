import { type Kysely, sql, type Transaction } from 'kysely';

import type { GraphOf, GraphRebuilt, GraphStore, RebuildOptions } from '../core/index.js';
import { toTrace } from './experience-rows.js';
import { storableDelta } from './graph-rows.js';
import { countDiffering, GraphSum } from './graph-sum.js';
import { readGraph } from './read-graph.js';
import { newestPages } from './read-newest.js';
import type { Tables } from './schema.js';
import { selectTraces } from './select-traces.js';
import { attempt } from './store-errors.js';
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
      attempt('make the graph anew', () =>
        db.transaction().execute((trx) => rebuild(trx, graphOf, options)),
      ),
  };
}

async function rebuild(
  trx: Transaction<Tables>,
  graphOf: GraphOf,
  { onProgress, signal }: RebuildOptions,
): Promise<GraphRebuilt> {
  // Whoever adds executions waits, and so does whoever else makes it anew.
  await sql`lock table execution_trace in share row exclusive mode`.execute(trx);
  const sum = new GraphSum();
  let executions = 0;
  for await (const page of newestPages(trx, Infinity, selectTraces)) {
    signal?.throwIfAborted();
    sum.add(graphOf(page.map(toTrace)));
    executions += page.length;
    onProgress?.(executions);
  }
  const made = storableDelta(sum.total);
  const differing = countDiffering(await readGraph(trx), made);
  signal?.throwIfAborted();
  if (differing > 0) await replaceGraph(trx, made);
  await sql`update graph_state set executions = ${executions}::int`.execute(trx);
  return { executions, differing };
}
