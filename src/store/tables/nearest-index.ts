import { createHash } from 'node:crypto';

import { type Kysely, sql } from 'kysely';

import { type EmbeddingSpace, type Logger, messageOf } from '../../core/index.js';
import type { Tables } from '../schema.js';

export interface NearestIndexOptions {
  readonly logger: Logger;
  /** Whether others may go on while an index is built. PGlite has one connection only. */
  readonly buildsConcurrently: boolean;
  /** A space of more vectors gets an approximate index. */
  readonly indexBeyond?: number;
}

type IndexState = 'unneeded' | 'missing' | 'ready';

const INDEX_BEYOND = 50_000;

/** pgvector indexes no longer ones. */
const MAX_DIMENSION = 2_000;

/**
 * A build that does not fit into memory takes many times as long. A server has its own setting for
 * it; PGlite starts with little, and gives none of this back until it is closed.
 */
const EMBEDDED_BUILD_MEMORY = '256MB';

/**
 * The approximate index (HNSW) of each large space. Spaces differ in dimension, so each has one of
 * its own, made when it is first missed. One that failed is not tried again until the next start.
 */
export class NearestIndex implements AsyncDisposable {
  readonly #db: Kysely<Tables>;
  readonly #options: Required<NearestIndexOptions>;
  readonly #ready = new Set<string>();
  readonly #begun = new Map<string, Promise<void>>();
  /** Process ids on the server of those that build. */
  readonly #builders = new Set<number>();

  constructor(db: Kysely<Tables>, options: NearestIndexOptions) {
    this.#db = db;
    this.#options = { indexBeyond: INDEX_BEYOND, ...options };
  }

  async look({ id, dimension }: EmbeddingSpace): Promise<IndexState> {
    if (this.#ready.has(id)) return 'ready';
    if (dimension > MAX_DIMENSION || this.#begun.has(id)) return 'unneeded';
    if (await this.#isBuilt(this.#db, id)) return 'ready';
    const { indexBeyond } = this.#options;
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
      select from embedding where space = ${id} limit ${indexBeyond + 1}) as found`.execute(
      this.#db,
    );
    return (rows[0]?.count ?? 0) > indexBeyond ? 'missing' : 'unneeded';
  }

  /** Begins to build and returns at once; a failure is logged. */
  build(space: EmbeddingSpace): void {
    if (this.#begun.has(space.id)) return;
    const { logger } = this.#options;
    const building = this.#db
      .connection()
      .execute((session) => this.#create(session, space))
      .catch((error: unknown) =>
        logger.warn('search index not built, searching exactly', {
          space: space.id,
          error: messageOf(error),
        }),
      );
    this.#begun.set(space.id, building);
  }

  async remove(id: string): Promise<void> {
    this.#ready.delete(id);
    await sql`drop index if exists ${sql.id(indexName(id))}`.execute(this.#db);
    this.#begun.delete(id);
  }

  /** On a server a build under way is cancelled; in PGlite nothing can interrupt it. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const builder of this.#builders) {
      await sql`select pg_cancel_backend(${builder})`.execute(this.#db);
    }
    await Promise.all(this.#begun.values());
  }

  /** One of the machines that share the database does it; the others look again later. */
  async #create(session: Kysely<Tables>, space: EmbeddingSpace): Promise<void> {
    const name = indexName(space.id);
    if (!(await tryLock(session, name))) {
      this.#begun.delete(space.id);
      return;
    }
    const builder = await backendPid(session);
    if (this.#options.buildsConcurrently) this.#builders.add(builder);
    try {
      if (!(await this.#isBuilt(session, space.id))) await this.#createLocked(session, space);
    } finally {
      this.#builders.delete(builder);
      await sql`reset maintenance_work_mem`.execute(session);
      await unlock(session, name);
    }
  }

  async #createLocked(session: Kysely<Tables>, { id, dimension }: EmbeddingSpace): Promise<void> {
    const { logger, buildsConcurrently } = this.#options;
    const name = sql.id(indexName(id));
    const startedAt = performance.now();
    logger.info('building a search index', { space: id });
    // What a build that was cancelled left behind: it is there, but of no use.
    await sql`drop index if exists ${name}`.execute(session);
    if (!buildsConcurrently) {
      await sql`set maintenance_work_mem = ${sql.lit(EMBEDDED_BUILD_MEMORY)}`.execute(session);
    }
    await sql`create index ${sql.raw(buildsConcurrently ? 'concurrently' : '')} ${name}
      on embedding using hnsw ((vector::vector(${sql.lit(dimension)})) vector_cosine_ops)
      where space = ${sql.lit(id)}`.execute(session);
    this.#ready.add(id);
    const ms = Math.round(performance.now() - startedAt);
    logger.info('search index built', { space: id, ms });
  }

  async #isBuilt(db: Kysely<Tables>, id: string): Promise<boolean> {
    const { rows } = await sql`select from pg_index
      where indexrelid = to_regclass(${indexName(id)}) and indisvalid`.execute(db);
    if (rows.length > 0) this.#ready.add(id);
    return rows.length > 0;
  }
}

/** Names are short in PostgreSQL and spaces have any name. */
export function indexName(space: string): string {
  return `embedding_nearest_${createHash('sha256').update(space).digest('hex').slice(0, 16)}`;
}

/** Held by one of the machines that share the database. */
async function tryLock(session: Kysely<Tables>, name: string): Promise<boolean> {
  const { rows } = await sql<{
    taken: boolean;
  }>`select pg_try_advisory_lock(hashtext(${name})) as taken`.execute(session);
  return rows[0]?.taken === true;
}

async function unlock(session: Kysely<Tables>, name: string): Promise<void> {
  await sql`select pg_advisory_unlock(hashtext(${name}))`.execute(session);
}

async function backendPid(session: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session);
  return rows[0]?.pid ?? 0;
}
