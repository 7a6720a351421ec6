import { Kysely, PostgresDialect, sql } from 'kysely';

import { type Logger, PmlError } from '../../core/index.js';
import { migrate } from '../migrate.js';
import { readInfo } from '../read-info.js';
import type { Tables } from '../schema.js';
import { toStoreError } from '../store-errors.js';
import type { Store } from '../store.js';
import { createCatalogStore } from '../tables/catalog-store.js';
import { createEmbeddingStore, readVectorFormat } from '../tables/embedding-store.js';
import { createEpisodeStore } from '../tables/episode-store.js';
import { createExperienceStore } from '../tables/experience-store.js';
import { createGraphStore } from '../tables/graph/graph-store.js';
import { createOutputStore } from '../tables/output-store.js';
import { createRankingStore } from '../tables/ranking-store.js';
import { createResultStore } from '../tables/result-store.js';
import type { VectorFormat } from '../tables/vector-format.js';
import { openPool } from './postgres-pool.js';
import { createPostgresRunLog } from './postgres-run-log.js';
import { createSharedCapabilities } from './shared-capabilities.js';
import { createSharedSignIns } from './shared-sign-ins.js';

export interface PostgresStoreOptions {
  readonly url: string;
  readonly logger: Logger;
}

/** A store on a PostgreSQL server (15 or newer), which several machines may share. */
export async function createPostgresStore({ url, logger }: PostgresStoreOptions): Promise<Store> {
  const place = withoutSecrets(url);
  const pool = await openPool(url, logger);
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  let format: VectorFormat;
  try {
    await sql`select 1`.execute(db);
    await migrate(db, { logger });
    format = await readVectorFormat(db);
  } catch (error) {
    await db.destroy();
    throw toStoreError(`open the database at ${place}`, error);
  }
  logger.info('store opened', { engine: 'postgres', place, vectors: format });
  const capabilities = createSharedCapabilities(db);
  const runLog = createPostgresRunLog(db, { logger });
  return {
    catalog: createCatalogStore(db),
    embeddings: createEmbeddingStore(db, format),
    episodes: createEpisodeStore(db),
    experience: createExperienceStore(db),
    graph: createGraphStore(db),
    ranking: createRankingStore(db),
    outputs: createOutputStore(db),
    capabilities,
    sharedCapabilities: capabilities,
    results: createResultStore(db),
    sharedSignIns: createSharedSignIns(db),
    runLog,
    info: () => readInfo(db, 'postgres'),
    checkpoint: async () => {},
    tidy: async () => {},
    snapshot: async () => undefined,
    [Symbol.asyncDispose]: once(async () => {
      await runLog[Symbol.asyncDispose]();
      await db.destroy();
    }),
  };
}

/** `host:port/database`. The address itself must not appear anywhere: it may hold a password. */
function withoutSecrets(url: string): string {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)) {
    throw new PmlError(
      'CONFIG_INVALID',
      'The address of the database is not one of PostgreSQL. ' +
        'Expected postgres://user:password@host:port/database.',
    );
  }
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  return () => (closing ??= close());
}
