import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { describeEmbeddingStore } from '../../../test/conformance/embedding-store.js';
import { aTrace } from '../../../test/conformance/experience-store.js';
import { aChange, aServer, aTool } from '../../../test/fixtures/store/samples.js';
import { aVector } from '../../../test/fixtures/store/vectors.js';
import { openBareStore } from '../../../test/helpers/bare-store.js';
import { countTools } from '../../../test/helpers/count-tools.js';
import { storeTemplate } from '../../../test/helpers/store-template.js';
import { temporaryFolder } from '../../../test/helpers/temporary-folder.js';
import { type EmbeddingStore, silentLogger as logger } from '../../core/index.js';
import { createEmbeddedStore } from '../embedded/embedded-store.js';
import type { PgliteConnection } from '../embedded/pglite-connection.js';
import { listSnapshots } from '../embedded/snapshots.js';
import { storePaths } from '../embedded/store-paths.js';
import { migrate } from '../migrate.js';
import type { Tables } from '../schema.js';
import { createCatalogStore } from '../tables/catalog-store.js';
import { createEmbeddingStore, readVectorFormat } from '../tables/embedding-store.js';
import { migrations } from './index.js';

let template: string;
beforeAll(async () => void (template = await storeTemplate()), 120_000);

const anUpdate = () => {
  const tool = aTool('kept', 'tool');
  return { server: aServer('kept'), tools: [tool], changes: [aChange(tool)] };
};

test('migration 2 upgrades a version 1 data directory without pgvector after a snapshot', async () => {
  await using folder = await temporaryFolder();
  {
    const { pglite, db } = await openBareStore(folder.path);
    await using _ = pglite;
    await pglite.exec('drop extension if exists vector');
    await migrate(db, { logger, steps: migrations.slice(0, 1) });
    await createCatalogStore(db).save(anUpdate());
  }

  await using store = await createEmbeddedStore({ dataDir: folder.path, logger, template });

  expect(await store.info()).toMatchObject({ schemaVersion: migrations.length });
  expect((await store.catalog.load()).tools).toEqual(anUpdate().tools);
  expect(await listSnapshots(storePaths(folder.path))).toHaveLength(1);
  const [space, vectors] = [{ id: 'a/1', dimension: 3 }, new Map([['x', aVector(3, 1)]])];
  await store.embeddings.save(space, vectors);
  expect(await store.embeddings.load(space, ['x'])).toEqual(vectors);
  expect(await store.experience.add([aTrace('new')], countTools)).toEqual(['new']);
}, 60_000);

describe('without the right to create the extension', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let pglite: PgliteConnection;
  let db: Kysely<Tables>;
  let embeddings: EmbeddingStore;

  beforeAll(async () => {
    folder = await temporaryFolder();
    ({ pglite, db } = await openBareStore(folder.path));
    await pglite.exec(`drop extension if exists vector; create role limited;
      grant usage, create on schema public to limited; set role limited`);
    await migrate(db, { logger });
    embeddings = createEmbeddingStore(db, 'bytes');
  }, 60_000);

  afterAll(async () => {
    await pglite[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test('store without the extension keeps vectors as bytes', async () => {
    expect(await readVectorFormat(db)).toBe('bytes');
  });

  describeEmbeddingStore('PGlite with bytes', () => embeddings);

  test('database without the extension refuses bytes of another dimension', async () => {
    await expect(insert(db, 'bytes/1', sql`decode('00000000', 'hex')`)).resolves.toBeDefined();
    await expect(insert(db, 'bytes/2', sql`decode('0000000000', 'hex')`)).rejects.toMatchObject({
      code: '23514',
    });
  });
});

describe('with the extension', () => {
  test('store with the extension keeps and forgets vectors of a space with an old search index', async () => {
    await using folder = await temporaryFolder();
    const { pglite, db } = await openBareStore(folder.path);
    await using _ = pglite;
    await migrate(db, { logger });
    const space = { id: 'indexed/1', dimension: 3 };
    await pglite.exec(`create index embedding_nearest_0123456789abcdef
      on embedding using hnsw ((vector::vector(3)) vector_cosine_ops) where space = 'indexed/1'`);
    const embeddings = createEmbeddingStore(db, 'vector');
    const vectors = new Map(['a', 'b'].map((hash, place) => [hash, aVector(3, place + 1)]));

    await embeddings.save(space, vectors);
    await embeddings.save(space, new Map([['a', aVector(3, 7)]]));
    await embeddings.remove(space, ['b']);

    expect(await embeddings.load(space, ['a', 'b'])).toEqual(new Map([['a', aVector(3, 7)]]));
    await embeddings.removeSpace(space.id);
    expect(await embeddings.spaces()).toEqual([]);
  }, 60_000);

  test('database with the extension refuses vectors that do not fit', async () => {
    await using folder = await temporaryFolder();
    const { pglite, db } = await openBareStore(folder.path);
    await using _ = pglite;
    await migrate(db, { logger });

    expect(await readVectorFormat(db)).toBe('vector');
    await expect(insert(db, 'v/1', sql`'[1]'`)).resolves.toBeDefined();
    await expect(insert(db, 'v/2', sql`'[1,2]'`)).rejects.toMatchObject({ code: '23514' });
    await expect(
      sql`update embedding set dimension = 2, vector = '[1,2]' where space = 'v/1'`.execute(db),
    ).rejects.toMatchObject({ code: '23503' });
    await expect(
      sql`insert into ranking_model select id, now(), '{}', '{}', 'active'
        from unnest(array['a', 'b']) as id`.execute(db),
    ).rejects.toMatchObject({ code: '23505' });
  }, 60_000);
});

/** Inserts a vector into a new space of dimension 1. */
async function insert(db: Kysely<Tables>, space: string, vector: ReturnType<typeof sql>) {
  await sql`insert into embedding_space (id, dimension) values (${space}, 1)`.execute(db);
  return sql`insert into embedding (space, content_hash, dimension, vector)
    values (${space}, 'hash', 1, ${vector})`.execute(db);
}
