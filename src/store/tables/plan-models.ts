import { type Kysely, sql } from 'kysely';

import type { RankingModel } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { modelRow, toModel } from './ranking-rows.js';

/** Those in use, those to go back to, and those that were taken back. */
const KEPT = 3;

export async function readPlanModels(db: Kysely<Tables>): Promise<readonly RankingModel[]> {
  const rows = await db
    .selectFrom('plan_model')
    .select(['id', 'at', 'status'])
    .select([
      sql<string>`parameters::text`.as('parameters'),
      sql<string>`metric::text`.as('metric'),
    ])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toModel);
}

export async function writePlanModel(db: Kysely<Tables>, model: RankingModel): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Two machines that activate at once would both find nothing to retire.
    await sql`lock table plan_model in share row exclusive mode`.execute(trx);
    const { id, ...rest } = modelRow(model);
    if (model.status === 'active') {
      await trx
        .updateTable('plan_model')
        .set({ status: 'retired' })
        .where('status', '=', 'active')
        .where('id', '!=', id)
        .execute();
    }
    await trx
      .insertInto('plan_model')
      .values({ id, ...rest })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(rest))
      .execute();
    await sql`
      delete from plan_model where status != 'active' and id not in (
        select id from plan_model order by at desc, id desc limit ${KEPT})`.execute(trx);
  });
}
