import { type Kysely, type RawBuilder, sql } from 'kysely';

import type { EpisodeStore, StoredThreshold } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { attempt } from '../store-errors.js';
import {
  episodeColumns,
  type EpisodeRow,
  episodeSize,
  thresholdRow,
  toEpisode,
  toThreshold,
} from './episode-rows.js';
import { readNewest } from './read-newest.js';
import { rowChunks } from './row-chunks.js';

/** Episodes and thresholds in SQL, the same for PGlite and PostgreSQL. */
export function createEpisodeStore(db: Kysely<Tables>): EpisodeStore {
  return {
    add: (episodes) =>
      attempt('store episodes', async () => {
        for (const chunk of rowChunks(episodes, episodeSize)) {
          await insertEpisodes(db, episodeColumns(chunk));
        }
      }),

    load: ({ limit }) =>
      attempt('load episodes', async () =>
        (await readNewest(db, limit, selectEpisodes)).toReversed().map(toEpisode),
      ),

    prune: ({ keep }) =>
      attempt('remove old episodes', async () => {
        await sql`delete from episode where id in (
          select id from episode order by at desc, id desc offset ${keep}
        )`.execute(db);
      }),

    forget: () => attempt('forget episodes', () => removeAll(db, 'episode')),

    thresholds: () =>
      attempt('load thresholds', async () => {
        const rows = await db
          .selectFrom('threshold')
          .selectAll()
          .orderBy('rung')
          .orderBy('kind')
          .execute();
        return rows.map(toThreshold);
      }),

    saveThresholds: (thresholds) =>
      attempt('save thresholds', () =>
        db.transaction().execute(async (trx) => {
          for (const one of thresholds) await upsertThreshold(trx, one);
        }),
      ),

    forgetThresholds: () => attempt('forget thresholds', () => removeAll(db, 'threshold')),
  };
}

async function insertEpisodes(
  db: Kysely<Tables>,
  columns: ReturnType<typeof episodeColumns>,
): Promise<void> {
  await sql`
    insert into episode (id, at, rung, client, intent, last, predicted, confidence, claimed,
      threshold, was_done, outcome, actual, saved_ms, wasted_ms)
    select id, at, rung, client, intent, last::json, predicted, confidence, claimed,
      threshold, was_done, outcome, actual, saved_ms, wasted_ms
    from unnest(
      ${columns.id}::text[], ${columns.at}::timestamptz[], ${columns.rung}::text[],
      ${columns.client}::text[], ${columns.intent}::text[], ${columns.last}::text[],
      ${columns.predicted}::text[], ${columns.confidence}::float8[], ${columns.claimed}::float8[],
      ${columns.threshold}::float8[], ${columns.wasDone}::boolean[], ${columns.outcome}::text[],
      ${columns.actual}::text[], ${columns.savedMs}::float8[], ${columns.wastedMs}::float8[]
    ) as row (id, at, rung, client, intent, last, predicted, confidence, claimed,
      threshold, was_done, outcome, actual, saved_ms, wasted_ms)
    on conflict (id) do nothing`.execute(db);
}

async function selectEpisodes(
  db: Kysely<Tables>,
  older: RawBuilder<boolean>,
  count: number,
): Promise<readonly EpisodeRow[]> {
  const { rows } = await sql<EpisodeRow>`
    select id, at, rung, client, intent, last::text as last, predicted, confidence, claimed,
      threshold, was_done, outcome, actual, saved_ms, wasted_ms
    from episode where ${older}
    order by at desc, id desc limit ${count}`.execute(db);
  return rows;
}

async function upsertThreshold(db: Kysely<Tables>, threshold: StoredThreshold): Promise<void> {
  const row = thresholdRow(threshold);
  const { value, is_off, why, at } = row;
  await db
    .insertInto('threshold')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['rung', 'kind']).doUpdateSet({ value, is_off, why, at }),
    )
    .execute();
}

async function removeAll(db: Kysely<Tables>, table: 'episode' | 'threshold'): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom(table).executeTakeFirst();
  return Number(numDeletedRows);
}
