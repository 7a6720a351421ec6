import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { nearCentre } from '../../../test/fixtures/store/vectors.js';
import { installBareStore } from '../../../test/helpers/bare-store.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { type Logger, silentLogger } from '../../core/index.js';
import { EmbeddedCluster } from '../embedded/embedded-cluster.js';
import { createEmbeddingStore } from './embedding-store.js';
import { indexName } from './nearest-index.js';
import { nearestByIndex, nearestByScan } from './nearest.js';

const BUILD = { timeout: 20_000 };
const CENTRES = 10;
const space = { id: `it's large/1`, dimension: 64 };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let cluster: EmbeddedCluster;
const logged: string[] = [];
const logger: Logger = { ...silentLogger, info: (message) => void logged.push(message) };

beforeAll(async () => {
  folder = await temporaryFolder();
  const paths = await installBareStore(folder.path);
  cluster = await EmbeddedCluster.open({ paths, logger: silentLogger, now: () => new Date() });
}, 120_000);

afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const create = () =>
  createEmbeddingStore(cluster.db, {
    format: 'vector',
    buildsConcurrently: false,
    indexBeyond: 200,
    logger,
  });

const points = (from: number, to: number) =>
  new Map(
    Array.from({ length: to - from }, (_, index) => {
      const seed = from + index;
      return [`hash-${seed}`, nearCentre(space.dimension, seed % CENTRES, seed)];
    }),
  );

const questions = Array.from({ length: CENTRES }, (_, centre) =>
  nearCentre(space.dimension, centre, 100_000 + centre),
);

async function hasIndex(): Promise<boolean> {
  const { rows } = await sql`select from pg_indexes
    where indexname = ${indexName(space.id)}`.execute(cluster.db);
  return rows.length > 0;
}

test('indexes a space on the first question beyond the bound, not before', async () => {
  await using embeddings = create();
  await embeddings.save(space, points(0, 200));
  await embeddings.save(
    { id: 'other/1', dimension: 3 },
    new Map([['x', Float32Array.of(1, 2, 3)]]),
  );
  await embeddings.nearest(space, questions[0]!, 5);
  expect(await hasIndex()).toBe(false);

  await embeddings.save(space, points(200, 1_000));
  const exact = await embeddings.nearest(space, questions[0]!, 5);

  await expect.poll(hasIndex, BUILD).toBe(true);
  await expect.poll(() => logged, BUILD).toEqual(['building a search index', 'search index built']);
  expect(await embeddings.nearest(space, questions[0]!, 5)).toEqual(exact);
});

test('uses the index, which agrees with looking at all', async () => {
  const plans: string[] = [];
  for (const vector of questions) {
    const question = { space, vector, limit: 20 };
    expect(await nearestByIndex(cluster.db, question)).toEqual(
      await nearestByScan(cluster.db, question),
    );
  }

  await cluster.db.transaction().execute(async (trx) => {
    await sql`set local enable_sort = off`.execute(trx);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select content_hash from embedding where space = ${sql.lit(space.id)}
      order by vector::vector(64) <=> (select vector from embedding
        where space = ${sql.lit(space.id)} limit 1) limit 5`.execute(trx);
    plans.push(...rows.map((row) => row['QUERY PLAN']));
  });
  expect(plans.join('\n')).toContain(`Index Scan using ${indexName(space.id)}`);
});

test('finds the index of an earlier run, keeps it up to date, and answers beyond its reach', async () => {
  await using embeddings = create();
  logged.length = 0;
  const [question] = questions;

  await embeddings.save(space, new Map([['the same', question!]]));

  expect(await embeddings.nearest(space, question!, 1)).toMatchObject([{ hash: 'the same' }]);
  expect(await embeddings.nearest(space, question!, 2_000)).toHaveLength(1_001);
  expect(logged).toEqual([]);
});

test('drops the index with its space', async () => {
  await using embeddings = create();

  await embeddings.removeSpace(space.id);

  expect(await hasIndex()).toBe(false);
  expect(await embeddings.nearest(space, questions[0]!, 5)).toEqual([]);
});

test('goes on without an index when it cannot be built', async () => {
  const warned: string[] = [];
  await using embeddings = createEmbeddingStore(cluster.db, {
    format: 'vector',
    buildsConcurrently: false,
    indexBeyond: 200,
    logger: { ...silentLogger, warn: (message) => void warned.push(message) },
  });
  await embeddings.save(space, points(0, 300));
  // A table has taken its name.
  await sql`create table ${sql.id(indexName(space.id))} ()`.execute(cluster.db);

  const first = await embeddings.nearest(space, questions[0]!, 5);

  await expect.poll(() => warned, BUILD).toEqual(['search index not built, searching exactly']);
  expect(await embeddings.nearest(space, questions[0]!, 5)).toEqual(first);
});
