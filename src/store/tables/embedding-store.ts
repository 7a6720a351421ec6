import { type Kysely, sql, type Transaction } from 'kysely';

import {
  type EmbeddingSpace,
  type EmbeddingStore,
  PmlError,
  type StoredSpace,
} from '../../core/index.js';
import type { Tables } from '../schema.js';
import { attempt } from '../store-errors.js';
import { rowChunks } from './row-chunks.js';
import { storable } from './storable-text.js';
import {
  joinedVectors,
  readVectors,
  vectorBytes,
  type VectorFormat,
  vectorValue,
} from './vector-format.js';

/**
 * Vectors in SQL, the same for PGlite and PostgreSQL. This is their durable copy: a search loads them
 * and keeps them in memory.
 */
export function createEmbeddingStore(db: Kysely<Tables>, format: VectorFormat): EmbeddingStore {
  return {
    spaces: () => attempt('list embedding spaces', () => selectSpaces(db)),

    load: (space, hashes) =>
      attempt(`load the vectors of ${space.id}`, () =>
        selectVectors(db, space, { format, hashes }),
      ),

    save: (space, vectors) =>
      attempt(`save vectors of ${space.id}`, async () => {
        for (const vector of vectors.values()) checkVector(space, vector);
        await db.transaction().execute((trx) => writeVectors(trx, space, { format, vectors }));
      }),

    remove: (space, hashes) =>
      attempt(`remove vectors of ${space.id}`, async () => {
        const names = hashes.map(storable);
        for (const chunk of rowChunks(names, ({ length }) => length)) {
          await sql`delete from embedding where space = ${storable(space.id)}
            and content_hash = any(${chunk}::text[])`.execute(db);
        }
      }),

    removeSpace: (id) =>
      attempt(`remove the vectors of ${id}`, async () => {
        await db.deleteFrom('embedding_space').where('id', '=', storable(id)).execute();
      }),
  };
}

/** The form of the column, decided when it was created. */
export async function readVectorFormat(db: Kysely<Tables>): Promise<VectorFormat> {
  const { rows } = await sql<{ type: string }>`
    select atttypid::regtype::text as type from pg_attribute
    where attrelid = 'embedding'::regclass and attname = 'vector'`.execute(db);
  return rows[0]?.type === 'bytea' ? 'bytes' : 'vector';
}

const stored = ({ id, dimension }: EmbeddingSpace) => ({ id: storable(id), dimension });

function checkVector(space: EmbeddingSpace, vector: Float32Array): void {
  const { id, dimension } = space;
  if (vector.length !== dimension) {
    throw new PmlError(
      'BAD_REQUEST',
      `A vector of ${id} has ${dimension} numbers, this one has ${vector.length}: ` +
        'it comes from another model. Embed the text again.',
      { details: { space: id, expected: dimension, got: vector.length } },
    );
  }
  if (vector.every(Number.isFinite)) return;
  throw new PmlError('BAD_REQUEST', `A vector of ${id} holds something that is not a number`);
}

async function selectSpaces(db: Kysely<Tables>): Promise<readonly StoredSpace[]> {
  const { rows } = await sql<StoredSpace>`
    select id, dimension,
      (select count(*) from embedding where space = embedding_space.id)::int as vectors
    from embedding_space order by id collate "C"`.execute(db);
  return rows;
}

interface Selection {
  readonly format: VectorFormat;
  readonly hashes: readonly string[];
}

async function selectVectors(
  db: Kysely<Tables>,
  space: EmbeddingSpace,
  { format, hashes }: Selection,
): Promise<ReadonlyMap<string, Float32Array>> {
  const { id, dimension } = stored(space);
  const asked = new Map(hashes.map((hash) => [storable(hash), hash]));
  const vectors = new Map<string, Float32Array>();
  for (const chunk of rowChunks([...asked.keys()], () => vectorBytes(dimension))) {
    const { rows } = await sql<{ hashes: string[] | null; vectors: string | null }>`
      select array_agg(content_hash) as hashes, ${joinedVectors(format)} as vectors
      from embedding
      where space = ${id} and dimension = ${dimension}
        and content_hash = any(${chunk}::text[])`.execute(db);
    const found = readVectors(rows[0]?.vectors ?? '', dimension);
    for (const [place, hash] of (rows[0]?.hashes ?? []).entries()) {
      vectors.set(asked.get(hash) ?? hash, found[place]!);
    }
  }
  return vectors;
}

interface Writing {
  readonly format: VectorFormat;
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

async function writeVectors(
  trx: Transaction<Tables>,
  space: EmbeddingSpace,
  { format, vectors }: Writing,
): Promise<void> {
  const { id, dimension } = stored(space);
  await ensureSpace(trx, { id, dimension });
  const unique = new Map([...vectors].map(([hash, vector]) => [storable(hash), vector]));
  for (const chunk of rowChunks([...unique], () => 2 * vectorBytes(dimension))) {
    const rows = chunk.map(
      ([hash, vector]) => sql`(${id}, ${hash}, ${dimension}::int, ${vectorValue(format, vector)})`,
    );
    await sql`
      insert into embedding (space, content_hash, dimension, vector) values ${sql.join(rows)}
      on conflict (space, content_hash) do update set
        dimension = excluded.dimension, vector = excluded.vector`.execute(trx);
  }
}

/** A space keeps the dimension it began with; the database holds every vector to it. */
async function ensureSpace(trx: Transaction<Tables>, space: EmbeddingSpace): Promise<void> {
  await trx
    .insertInto('embedding_space')
    .values({ id: space.id, dimension: space.dimension })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const { dimension } = await trx
    .selectFrom('embedding_space')
    .select('dimension')
    .where('id', '=', space.id)
    .executeTakeFirstOrThrow();
  if (dimension === space.dimension) return;
  throw new PmlError(
    'BAD_REQUEST',
    `The vectors stored for ${space.id} have ${dimension} numbers, these have ${space.dimension}. ` +
      'Give the new model a name of its own, or remove the stored ones first.',
    { details: { space: space.id, expected: dimension, got: space.dimension } },
  );
}
