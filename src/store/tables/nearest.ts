/** Three ways to find the nearest vectors: by an index, by looking at all in SQL, or here. */
import { type Kysely, sql } from 'kysely';

import type { EmbeddingSpace, StoredNeighbour } from '../../core/index.js';
import type { Tables } from '../schema.js';
import { joinedVectors, readVectors, vectorBytes, vectorValue } from './vector-format.js';

export interface NearestQuestion {
  readonly space: EmbeddingSpace;
  readonly vector: Float32Array;
  readonly limit: number;
}

/** Bounds of pgvector's list of candidates; more of them find more of the truly nearest. */
const MIN_CANDIDATES = 100;
const MAX_CANDIDATES = 1_000;

/** How much of a space is in memory at a time while it is read through. */
const PAGE_BYTES = 2_000_000;

export async function nearestByScan(
  db: Kysely<Tables>,
  { space, vector, limit }: NearestQuestion,
): Promise<readonly StoredNeighbour[]> {
  const wanted = vectorValue('vector', vector);
  const { rows } = await sql<StoredNeighbour>`
    select content_hash as hash, ${similarity(sql`vector <=> ${wanted}`)} as similarity
    from embedding where space = ${space.id} and dimension = ${space.dimension}
    order by vector <=> ${wanted} limit ${limit}`.execute(db);
  return rows;
}

/** The space stands in the text and the type has its dimension: only then the index applies. */
export async function nearestByIndex(
  db: Kysely<Tables>,
  { space, vector, limit }: NearestQuestion,
): Promise<readonly StoredNeighbour[]> {
  if (2 * limit > MAX_CANDIDATES) return nearestByScan(db, { space, vector, limit });
  const candidates = Math.max(MIN_CANDIDATES, 2 * limit);
  const distance = sql`vector::vector(${sql.lit(space.dimension)}) <=>
    ${vectorValue('vector', vector)}`;
  return db.transaction().execute(async (trx) => {
    await sql`set local hnsw.ef_search = ${sql.lit(candidates)}`.execute(trx);
    // Only the index gives them in order, so this keeps the planner from anything else.
    await sql`set local enable_sort = off`.execute(trx);
    const { rows } = await sql<StoredNeighbour>`
      select content_hash as hash, ${similarity(distance)} as similarity
      from embedding where space = ${sql.lit(space.id)}
      order by ${distance} limit ${limit}`.execute(trx);
    return rows;
  });
}

/** Reads the whole space, page by page: what is left without pgvector. */
export async function nearestInMemory(
  db: Kysely<Tables>,
  { space, vector, limit }: NearestQuestion,
): Promise<readonly StoredNeighbour[]> {
  let best: StoredNeighbour[] = [];
  for await (const page of readSpace(db, space)) {
    const scored = page.map(({ hash, vector: other }) => ({
      hash,
      similarity: cosine(vector, other),
    }));
    best = [...best, ...scored].toSorted((a, b) => b.similarity - a.similarity).slice(0, limit);
  }
  return best;
}

interface StoredVector {
  readonly hash: string;
  readonly vector: Float32Array;
}

async function* readSpace(
  db: Kysely<Tables>,
  { id, dimension }: EmbeddingSpace,
): AsyncGenerator<readonly StoredVector[], void> {
  const count = Math.max(1, Math.floor(PAGE_BYTES / vectorBytes(dimension)));
  for (let after = ''; ;) {
    const { rows } = await sql<{ hashes: string[] | null; vectors: string | null }>`
      select array_agg(content_hash) as hashes, ${joinedVectors('bytes')} as vectors from (
        select content_hash, vector from embedding
        where space = ${id} and dimension = ${dimension} and content_hash > ${after}
        order by content_hash limit ${count}
      ) as page`.execute(db);
    const hashes = rows[0]?.hashes ?? [];
    const vectors = readVectors(rows[0]?.vectors ?? '', dimension);
    yield hashes.map((hash, place) => ({ hash, vector: vectors[place]! }));
    const last = hashes.at(-1);
    if (hashes.length < count || last === undefined) return;
    after = last;
  }
}

/** A vector without direction is like nothing; pgvector calls its distance NaN. */
function similarity(distance: ReturnType<typeof sql>) {
  return sql`coalesce(nullif(1 - (${distance}), 'NaN'), 0)`;
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, ofA, ofB] = [0, 0, 0];
  for (let place = 0; place < a.length; place += 1) {
    const [x, y] = [a[place]!, b[place]!];
    dot += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return dot === 0 ? 0 : dot / Math.sqrt(ofA * ofB);
}
