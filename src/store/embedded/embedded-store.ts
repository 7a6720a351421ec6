import { fileURLToPath } from 'node:url';

import type { Logger } from '../../core/index.js';
import { acquireOwnerLock } from '../../process/index.js';
import { scheduleMaintenance } from '../maintenance.js';
import { Mutex } from '../mutex.js';
import { readInfo } from '../read-info.js';
import { attempt } from '../store-errors.js';
import type { Store } from '../store.js';
import { createCapabilityStore } from '../tables/capability-store.js';
import { createCatalogStore } from '../tables/catalog-store.js';
import { createEmbeddingStore } from '../tables/embedding-store.js';
import { createEpisodeStore } from '../tables/episode-store.js';
import { createExperienceStore } from '../tables/experience-store.js';
import { createGraphStore } from '../tables/graph/graph-store.js';
import { createOutputStore } from '../tables/output-store.js';
import { createRankingStore } from '../tables/ranking-store.js';
import { createResultStore } from '../tables/result-store.js';
import { createStoreFolder, ensureDataDirectory } from './data-directory.js';
import { EmbeddedCluster } from './embedded-cluster.js';
import { isSnapshotDue, listSnapshots } from './snapshots.js';
import { storePaths, type StorePaths } from './store-paths.js';

export interface EmbeddedStoreOptions {
  readonly dataDir: string;
  readonly logger: Logger;
  /** Archive of an initialised data directory. Default: the one built into the package. */
  readonly template?: string;
  readonly now?: () => Date;
}

/** Written by `scripts/prepare-store.mjs` beside the compiled module. */
export const BUILT_IN_TEMPLATE = fileURLToPath(new URL('../pgdata.tar.br', import.meta.url));

/**
 * Opens the database under `<dataDir>/store` and creates it if it is missing. This process owns the
 * directory until the store is closed. PGlite runs in its own thread, so opening is slow but does
 * not block the process.
 */
export async function createEmbeddedStore({
  dataDir,
  logger,
  template = BUILT_IN_TEMPLATE,
  now = () => new Date(),
}: EmbeddedStoreOptions): Promise<Store> {
  const paths = storePaths(dataDir);
  const lock = await attempt(`create ${paths.root}`, async () => {
    await createStoreFolder(paths);
    return acquireOwnerLock(paths.lock);
  });
  try {
    await attempt(`prepare ${paths.cluster}`, () =>
      ensureDataDirectory(paths, { template, logger }),
    );
    const cluster = await EmbeddedCluster.open({ paths, logger, now });
    logger.info('store opened', { engine: 'pglite', directory: paths.cluster });
    return assemble(cluster, { paths, logger, now, lock });
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

interface Parts {
  readonly paths: StorePaths;
  readonly logger: Logger;
  readonly now: () => Date;
  readonly lock: AsyncDisposable;
}

function assemble(cluster: EmbeddedCluster, { paths, logger, now, lock }: Parts): Store {
  let checkpointed = cluster.writes;
  async function checkpoint(): Promise<void> {
    const { writes } = cluster;
    await cluster.checkpoint();
    checkpointed = writes;
  }
  /** Upkeep, tidying, checkpoints and closing run one after the other. */
  const turn = new Mutex();
  const stopping = new AbortController();
  const { signal } = stopping;
  async function settle(): Promise<void> {
    if (signal.aborted || cluster.writes === checkpointed) return;
    await cluster.prune({ signal });
    if (signal.aborted) return; // Closing makes the checkpoint.
    await cluster.vacuum();
    await checkpoint();
  }
  /** Without a checkpoint, the log of rewritten tables would take as much space as was gained. */
  async function tidy(): Promise<void> {
    await settle();
    if (signal.aborted) return;
    if ((await cluster.compact(signal)).length > 0) await checkpoint();
    if (!signal.aborted) await cluster.collectGarbage();
  }
  async function upkeep(): Promise<void> {
    await settle();
    if (signal.aborted) return;
    if (isSnapshotDue(await listSnapshots(paths), now())) await cluster.snapshot();
  }
  const stopMaintenance = scheduleMaintenance(() => turn.run(upkeep), { logger });
  async function close(): Promise<void> {
    await using _lock = lock;
    await using _cluster = cluster;
    stopping.abort();
    await stopMaintenance();
    await attempt('checkpoint the store', () => turn.run(checkpoint));
  }

  let closing: Promise<void> | undefined;
  return {
    catalog: createCatalogStore(cluster.db),
    embeddings: createEmbeddingStore(cluster.db, 'vector'),
    episodes: createEpisodeStore(cluster.db),
    experience: createExperienceStore(cluster.db),
    graph: createGraphStore(cluster.db),
    ranking: createRankingStore(cluster.db),
    outputs: createOutputStore(cluster.db),
    capabilities: createCapabilityStore(cluster.db),
    results: createResultStore(cluster.db),
    info: () => readInfo(cluster.db, 'pglite'),
    memory: () => attempt('read the memory of the store', () => cluster.memory()),
    checkpoint: () => attempt('checkpoint the store', () => turn.run(checkpoint)),
    tidy: () => attempt('tidy up the store', () => turn.run(tidy)),
    snapshot: () => attempt('write a snapshot', () => cluster.snapshot()),
    [Symbol.asyncDispose]: () => (closing ??= close()),
  };
}
