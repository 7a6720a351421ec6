/** Search in the embedded database, which PML does not use: what the search in memory is measured against. */
import { sql } from 'kysely';

import { type EmbeddingSpace, silentLogger } from '../../src/core/index.js';
import { migrate } from '../../src/store/migrate.js';
import { createEmbeddingStore } from '../../src/store/tables/embedding-store.js';
import { vectorValue } from '../../src/store/tables/vector-format.js';
import { openBareStore } from '../../test/helpers/bare-store.js';

/** A build that does not fit into memory takes many times as long. */
const BUILD_MEMORY = '256MB';

/** pgvector's list of candidates; more of them find more of the truly nearest. */
const CANDIDATES = 100;

export interface DatabaseSearch extends AsyncDisposable {
  save(vectors: readonly Float32Array[]): Promise<void>;
  /** Looks at all. */
  scan(vector: Float32Array, limit: number): Promise<readonly string[]>;
  buildIndex(): Promise<void>;
  /** By the index. */
  lookUp(vector: Float32Array, limit: number): Promise<readonly string[]>;
}

export async function openDatabaseSearch(space: EmbeddingSpace): Promise<DatabaseSearch> {
  const store = await openBareStore();
  const { db } = store;
  await migrate(db, { logger: silentLogger });
  const embeddings = createEmbeddingStore(db, 'vector');
  const typed = sql`vector(${sql.lit(space.dimension)})`;
  return {
    save: (vectors) =>
      embeddings.save(space, new Map(vectors.map((vector, at) => [String(at), vector]))),

    async scan(vector, limit) {
      const { rows } = await sql<{ hash: string }>`
        select content_hash as hash from embedding where space = ${space.id}
        order by vector <=> ${vectorValue('vector', vector)} limit ${limit}`.execute(db);
      return rows.map(({ hash }) => hash);
    },

    async buildIndex() {
      await sql`set maintenance_work_mem = ${sql.lit(BUILD_MEMORY)}`.execute(db);
      await sql`create index embedding_nearest on embedding
        using hnsw ((vector::${typed}) vector_cosine_ops)
        where space = ${sql.lit(space.id)}`.execute(db);
    },

    lookUp: (vector, limit) =>
      db.transaction().execute(async (trx) => {
        await sql`set local hnsw.ef_search = ${sql.lit(CANDIDATES)}`.execute(trx);
        // Only the index gives them in order, so this keeps the planner from anything else.
        await sql`set local enable_sort = off`.execute(trx);
        const { rows } = await sql<{ hash: string }>`
          select content_hash as hash from embedding where space = ${sql.lit(space.id)}
          order by vector::${typed} <=> ${vectorValue('vector', vector)} limit ${limit}`.execute(
          trx,
        );
        return rows.map(({ hash }) => hash);
      }),

    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
