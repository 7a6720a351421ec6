import type {
  CapabilityStore,
  CatalogStore,
  EmbeddingStore,
  EpisodeStore,
  ExperienceStore,
  GraphStore,
  OutputStore,
  RankingStore,
  ResultStore,
  RunLog,
  SharedCapabilityStore,
  SharedSignIns,
} from '../core/index.js';
import type { RowCounts } from './tables/row-counts.js';

export interface StoreInfo {
  readonly engine: 'pglite' | 'postgres';
  /** Version of PostgreSQL, as the engine reports it. */
  readonly version: string;
  /** Size of the database, if PML may query it. */
  readonly sizeBytes?: number;
  readonly schemaVersion: number;
  readonly counts: RowCounts;
}

/** The process memory that the database thread uses. */
export interface StoreMemory {
  /** The WebAssembly memory of the database, which only grows while the database is open. */
  readonly databaseBytes: number;
  readonly heapBytes: number;
  readonly externalBytes: number;
}

/** A compressed copy of the whole data directory. */
export interface SnapshotFile {
  readonly path: string;
  readonly takenAt: Date;
}

/** The open database. Closing it twice is harmless. */
export interface Store extends AsyncDisposable {
  readonly catalog: CatalogStore;
  readonly embeddings: EmbeddingStore;
  /** The predictions of PML and their outcomes. */
  readonly episodes: EpisodeStore;
  readonly experience: ExperienceStore;
  readonly graph: GraphStore;
  readonly ranking: RankingStore;
  readonly outputs: OutputStore;
  readonly capabilities: CapabilityStore;
  /** The same, if several machines share them. */
  readonly sharedCapabilities?: SharedCapabilityStore;
  readonly results: ResultStore;
  /** On PostgreSQL, where gateways share sign-ins. */
  readonly sharedSignIns?: SharedSignIns;
  /** On PostgreSQL, where machines share runs. The embedded database has none. */
  readonly runLog?: RunLog;
  info(): Promise<StoreInfo>;
  /** The memory that the database uses in this process. PostgreSQL uses none. */
  memory?(): Promise<StoreMemory>;
  /** Writes everything so far to the data files. PostgreSQL does that on its own. */
  checkpoint(): Promise<void>;
  /** Frees unused space and memory. Call it when no request waits. */
  tidy(): Promise<void>;
  /** Copies the data directory. Undefined on PostgreSQL, where backups are up to the server. */
  snapshot(): Promise<SnapshotFile | undefined>;
}
