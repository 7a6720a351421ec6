import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';

import type { PgliteConnection } from './pglite-connection.js';

/** Kysely over our PGlite thread. The connection outlives the dialect: its opener closes it. */
export function createPgliteDialect(pglite: PgliteConnection): Dialect {
  return {
    createDriver: () => createDriver(pglite),
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}

function createDriver(pglite: PgliteConnection): Driver {
  const connection = createConnection(pglite);
  // The one connection has one holder at a time; the next acquire waits for it.
  let release = () => {};
  return {
    async init() {},
    async acquireConnection() {
      release = await pglite.turn.acquire();
      try {
        await pglite.ensureOpen();
      } catch (error) {
        release();
        throw error;
      }
      return connection;
    },
    // Every isolation level holds by itself: no other transaction runs meanwhile.
    async beginTransaction() {
      await pglite.exec('begin');
    },
    async commitTransaction() {
      await pglite.exec('commit');
    },
    async rollbackTransaction() {
      await pglite.exec('rollback');
    },
    async releaseConnection() {
      release();
    },
    async destroy() {},
  };
}

function createConnection(pglite: PgliteConnection): DatabaseConnection {
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, affectedRows } = await pglite.query(sql, parameters);
      return { rows: rows as R[], numAffectedRows: BigInt(affectedRows ?? 0) };
    },
    // oxlint-disable-next-line require-yield
    async *streamQuery() {
      throw new Error('PGlite answers a query as a whole; streaming is not supported');
    },
  };
}
