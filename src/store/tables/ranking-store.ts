import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';

import type {
  DailyOutcomes,
  DecisionOutcome,
  RankingModel,
  RankingStore,
} from '../../core/index.js';
import type { Tables } from '../schema.js';
import { attempt } from '../store-errors.js';
import { readLearnedVectors, writeVectors } from './learned-vectors.js';
import { readPlanModels, writePlanModel } from './plan-models.js';
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
import { storable } from './storable-text.js';

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
      attempt(`store the outcome of decision ${trace}`, () => updateOutcome(db, trace, outcome)),

    traces: ({ limit, judged = false, run }) =>
      attempt('read past decisions', async () => {
        const isJudged = judged ? sql`outcome_tool is not null` : sql`true`;
        const isOfRun = run === undefined ? sql`true` : sql`outcome_run = ${storable(run)}`;
        const wanted = sql<boolean>`${isJudged} and ${isOfRun}`;
        const rows = await readNewest(db, limit, (view, older, count) =>
          selectDecisions(view, sql`${older} and ${wanted}`, count),
        );
        return rows.map(toDecision);
      }),

    daily: ({ since }) => attempt('read the history of decisions', () => selectDaily(db, since)),

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

    planModels: () => attempt('read weights of plans', () => readPlanModels(db)),

    savePlanModel: (model) =>
      attempt(`save weights of plans ${model.id}`, () => writePlanModel(db, model)),

    vectors: (model) =>
      attempt(`read the vectors of ranking model ${model}`, () => readLearnedVectors(db, model)),

    saveVectors: (vectors) =>
      attempt(`save the vectors of ranking model ${vectors.model}`, () =>
        writeVectors(db, vectors),
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
      outcome_tool, outcome_place, outcome_ok, outcome_match, outcome_run,
      confidence, threshold, mode)
    select id, at, algorithm, intent, model, weights::json, candidates::json, shown,
      outcome_tool, outcome_place, outcome_ok, outcome_match, outcome_run,
      confidence, threshold, mode
    from unnest(
      ${columns.id}::text[], ${columns.at}::timestamptz[], ${columns.algorithm}::text[],
      ${columns.intent}::text[], ${columns.model}::text[], ${columns.weights}::text[],
      ${columns.candidates}::text[], ${columns.shown}::int[], ${columns.outcomeTool}::text[],
      ${columns.outcomePlace}::int[], ${columns.outcomeOk}::boolean[],
      ${columns.outcomeMatch}::text[], ${columns.outcomeRun}::text[],
      ${columns.confidence}::float8[], ${columns.threshold}::float8[], ${columns.mode}::text[]
    ) as row (id, at, algorithm, intent, model, weights, candidates, shown,
      outcome_tool, outcome_place, outcome_ok, outcome_match, outcome_run,
      confidence, threshold, mode)
    on conflict (id) do nothing`.execute(trx);
}

/** Does nothing for a decision that was removed meanwhile. */
async function updateOutcome(
  db: Kysely<Tables>,
  trace: string,
  { tool, place, ok, match, run }: DecisionOutcome,
): Promise<void> {
  await db
    .updateTable('algorithm_trace')
    .set({
      outcome_tool: storable(tool),
      outcome_place: place,
      outcome_ok: ok,
      outcome_match: match ?? null,
      outcome_run: run === undefined ? null : storable(run),
    })
    .where('id', '=', storable(trace))
    .execute();
}

async function selectDecisions(
  db: Kysely<Tables>,
  wanted: RawBuilder<boolean>,
  count: number,
): Promise<readonly DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select id, at, algorithm, intent, model, weights::text as weights,
      candidates::text as candidates, shown, outcome_tool, outcome_place, outcome_ok,
      outcome_match, outcome_run, confidence, threshold, mode
    from algorithm_trace where ${wanted}
    order by at desc, id desc limit ${count}`.execute(db);
  return rows;
}

async function selectDaily(db: Kysely<Tables>, since: Date): Promise<readonly DailyOutcomes[]> {
  const { rows } = await sql<DailyOutcomes>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, algorithm,
      count(*)::int as decisions,
      avg((outcome_place = 1)::int)::float8 as "hitAt1",
      avg((outcome_place between 1 and 3)::int)::float8 as "hitAt3",
      avg(case when outcome_place > 0 then 1.0 / outcome_place else 0 end)::float8 as mrr,
      avg(outcome_ok::int)::float8 as worked,
      count(outcome_match)::int as plans,
      coalesce(avg((outcome_match = 'exact')::int), 0)::float8 as exactly
    from algorithm_trace
    where outcome_tool is not null and at >= ${since.toISOString()}::timestamptz
    group by 1, 2 order by 1, 2`.execute(db);
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
