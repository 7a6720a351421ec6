import { Kysely } from 'kysely';

import { type Logger, messageOf, PmlError } from '../../core/index.js';
import { migrate } from '../migrate.js';
import { Mutex } from '../mutex.js';
import type { Tables } from '../schema.js';
import { codeOf, storeCorrupt, toStoreError } from '../store-errors.js';
import type { SnapshotFile, StoreMemory } from '../store.js';
import { chooseLeaving, removeExecutions } from '../tables/prune-executions.js';
import type { RowCounts } from '../tables/row-counts.js';
import { isMostlyEmpty, readTableUses } from './compact-tables.js';
import { PgliteConnection } from './pglite-connection.js';
import { createPgliteDialect } from './pglite-dialect.js';
import { recordCounts, verifyCounts } from './recorded-counts.js';
import { writeSnapshot } from './snapshots.js';
import type { StorePaths } from './store-paths.js';

export interface EmbeddedClusterOptions {
  readonly paths: StorePaths;
  readonly logger: Logger;
  readonly now: () => Date;
}

type PruneOptions = NonNullable<Parameters<typeof chooseLeaving>[1]> & {
  readonly signal?: AbortSignal;
};

/** An open, migrated and verified data directory. The caller holds the owner lock. */
export class EmbeddedCluster implements AsyncDisposable {
  readonly db: Kysely<Tables>;
  readonly #pglite: PgliteConnection;
  readonly #options: EmbeddedClusterOptions;
  /** Counted rows must not be removed before their count is recorded: it would look like a loss. */
  readonly #counting = new Mutex();

  private constructor(pglite: PgliteConnection, options: EmbeddedClusterOptions) {
    this.#pglite = pglite;
    this.#options = options;
    this.db = new Kysely<Tables>({ dialect: createPgliteDialect(pglite) });
  }

  static async open(options: EmbeddedClusterOptions): Promise<EmbeddedCluster> {
    const directory = options.paths.cluster;
    const pglite = await PgliteConnection.open(directory, options.logger).catch(
      (error: unknown) => {
        throw asOpenFailure(error, directory);
      },
    );
    const cluster = new EmbeddedCluster(pglite, options);
    try {
      const { logger } = options;
      await migrate(cluster.db, {
        logger,
        beforeChange: async () => void (await cluster.snapshot()),
      });
      await verifyCounts(cluster.db, options.paths);
      return cluster;
    } catch (error) {
      await pglite[Symbol.asyncDispose]();
      throw toStoreError(`prepare the database in ${directory}`, error);
    }
  }

  /** Number of statements that wrote something since the start. */
  get writes(): number {
    return this.#pglite.writes;
  }

  memory(): Promise<StoreMemory> {
    return this.#pglite.memory();
  }

  /** Counts are recorded after the checkpoint, so they never include rows that are not on disk. */
  checkpoint(): Promise<void> {
    return this.#counting.run(async () => {
      const counts = await verifyCounts(this.db, this.#options.paths);
      await this.#pglite.turn.run(() => this.#pglite.exec('checkpoint'));
      await recordCounts(this.#options.paths, counts);
    });
  }

  async vacuum(): Promise<void> {
    await this.#pglite.turn.run(() => this.#pglite.exec('vacuum (analyze)'));
  }

  /**
   * Removes the oldest executions above the limit. It records the remaining counts first: otherwise
   * a crash would look like lost rows. If aborted, it leaves the rest for the next time.
   */
  prune(options: PruneOptions = {}): Promise<void> {
    return this.#counting.run(() => this.#prune(options));
  }

  async #prune({ signal, ...options }: PruneOptions): Promise<void> {
    const leaving = await chooseLeaving(this.db, options);
    if (!leaving) return;
    const { paths, logger } = this.#options;
    const counts = Object.entries(await verifyCounts(this.db, paths));
    const left = counts.map(([table, count]) => [table, count - (leaving.rows[table] ?? 0)]);
    await recordCounts(paths, Object.fromEntries(left) as RowCounts);
    const executions = await removeExecutions(this.db, leaving, signal);
    logger.info('old executions forgotten', { executions });
  }

  /** Rewrites mostly empty tables one at a time until aborted. Returns their names. */
  async compact(signal?: AbortSignal): Promise<readonly string[]> {
    const empty = (await readTableUses(this.db)).filter(isMostlyEmpty);
    const names: string[] = [];
    for (const { name } of empty) {
      if (signal?.aborted) break;
      names.push(name);
      await this.#pglite.turn.run(() => this.#pglite.exec(`vacuum (full, analyze) "${name}"`));
    }
    if (names.length > 0) this.#options.logger.info('store compacted', { tables: names });
    return names;
  }

  /** Frees memory that the database thread does not need. */
  async collectGarbage(): Promise<void> {
    await this.#pglite.collectGarbage();
  }

  /** Copies the files while no statement runs. */
  async snapshot(): Promise<SnapshotFile> {
    const { paths, now, logger } = this.#options;
    const snapshot = await this.#pglite.turn.run(async () => {
      await this.#pglite.exec('checkpoint');
      return writeSnapshot(paths, now());
    });
    logger.info('store snapshot written', { path: snapshot.path });
    return snapshot;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pglite[Symbol.asyncDispose]();
  }
}

/** PGlite says little about why it does not start. File system errors are clear by themselves. */
function asOpenFailure(error: unknown, directory: string): PmlError {
  const code = codeOf(error);
  const isFromOutside = error instanceof PmlError || (code !== undefined && /^E[A-Z]/.test(code));
  if (isFromOutside) return toStoreError(`open the database in ${directory}`, error);
  if (WANTS_MEMORY.test(messageOf(error))) return noMemory(error, directory);
  return storeCorrupt('The database does not start', { directory, cause: error });
}

/** The different messages of V8 for this error. */
const WANTS_MEMORY = /out of memory|allocat\w* (?:\w+ )*memory|memory allocation/i;

function noMemory(cause: unknown, directory: string): PmlError {
  return new PmlError(
    'STORE_FAILED',
    `The database in ${directory} got no memory to start with: ${messageOf(cause)}. Nothing of it is damaged. Free some memory, or remove the limit of address space (ulimit -v), then run \`pml restart\`.`,
    { cause, details: { directory } },
  );
}
