import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';

import type { DecisionOutcome, RankingModel, RankingStore } from '../core/index.js';
import {
  decisionColumns,
  type DecisionRow,
  decisionSize,
  modelRow,
  toDecision,
  toModel,
} from './ranking-rows.js';
import { readNewest } from './read-newest.js';
import { rowChunks } from './row-chunks.js';
import type { Tables } from './schema.js';
import { storable } from './storable-text.js';
import { attempt } from './store-errors.js';

/** Decisions and learned weights in SQL, the same for PGlite and PostgreSQL. */
export function createRankingStore(db: Kysely<Tables>): RankingStore {
  return {
    addTraces: (traces) =>
      attempt('store decisions', () =>
        db.transaction().execute(async (trx) => {
          for (const chunk of rowChunks(traces, decisionSize)) {
            await insertDecisions(trx, decisionColumns(chunk));
          }
        }),
      ),

    setOutcome: (trace, outcome) =>
      attempt(`store what became of decision ${trace}`, () => updateOutcome(db, trace, outcome)),

    traces: ({ limit }) =>
      attempt('read past decisions', async () =>
        (await readNewest(db, limit, selectDecisions)).map(toDecision),
      ),

    prune: ({ keep }) =>
      attempt('remove old decisions', async () => {
        await sql`delete from algorithm_trace where id in (
          select id from algorithm_trace order by at desc, id desc offset ${keep}
        )`.execute(db);
      }),

    models: ({ limit }) =>
      attempt('read ranking models', async () => (await selectModels(db, limit)).map(toModel)),

    saveModel: (model) =>
      attempt(`save ranking model ${model.id}`, () =>
        db.transaction().execute((trx) => writeModel(trx, model)),
      ),
  };
}

/** A decision that is there already is left as it is: its outcome may have come since. */
async function insertDecisions(
  trx: Transaction<Tables>,
  columns: ReturnType<typeof decisionColumns>,
): Promise<void> {
  await sql`
    insert into algorithm_trace (id, at, algorithm, intent, model, weights, candidates, shown,
      outcome_tool, outcome_place, outcome_ok)
    select id, at, algorithm, intent, model, weights::json, candidates::json, shown,
      outcome_tool, outcome_place, outcome_ok
    from unnest(
      ${columns.id}::text[], ${columns.at}::timestamptz[], ${columns.algorithm}::text[],
      ${columns.intent}::text[], ${columns.model}::text[], ${columns.weights}::text[],
      ${columns.candidates}::text[], ${columns.shown}::int[], ${columns.outcomeTool}::text[],
      ${columns.outcomePlace}::int[], ${columns.outcomeOk}::boolean[]
    ) as row (id, at, algorithm, intent, model, weights, candidates, shown,
      outcome_tool, outcome_place, outcome_ok)
    on conflict (id) do nothing`.execute(trx);
}

/** Does nothing for a decision that was removed meanwhile. */
async function updateOutcome(
  db: Kysely<Tables>,
  trace: string,
  { tool, place, ok }: DecisionOutcome,
): Promise<void> {
  await db
    .updateTable('algorithm_trace')
    .set({ outcome_tool: storable(tool), outcome_place: place, outcome_ok: ok })
    .where('id', '=', storable(trace))
    .execute();
}

async function selectDecisions(
  db: Kysely<Tables>,
  older: RawBuilder<boolean>,
  count: number,
): Promise<readonly DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select id, at, algorithm, intent, model, weights::text as weights,
      candidates::text as candidates, shown, outcome_tool, outcome_place, outcome_ok
    from algorithm_trace where ${older}
    order by at desc, id desc limit ${count}`.execute(db);
  return rows;
}

function selectModels(db: Kysely<Tables>, limit: number) {
  return db
    .selectFrom('ranking_model')
    .select(['id', 'at', 'status'])
    .select([
      sql<string>`parameters::text`.as('parameters'),
      sql<string>`metric::text`.as('metric'),
    ])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

async function writeModel(trx: Transaction<Tables>, model: RankingModel): Promise<void> {
  // Two machines that activate at once would both find nothing to retire.
  await sql`lock table ranking_model in share row exclusive mode`.execute(trx);
  const { id, ...rest } = modelRow(model);
  if (model.status === 'active') {
    await trx
      .updateTable('ranking_model')
      .set({ status: 'retired' })
      .where('status', '=', 'active')
      .where('id', '!=', id)
      .execute();
  }
  await trx
    .insertInto('ranking_model')
    .values({ id, ...rest })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
    .execute();
}
