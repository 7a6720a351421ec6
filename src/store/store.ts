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
} from '../core/index.js';
import type { RowCounts } from './tables/row-counts.js';

export interface StoreInfo {
  readonly engine: 'pglite' | 'postgres';
  /** Version of PostgreSQL, as the engine reports it. */
  readonly version: string;
  /** Size of the database, where we may ask for it. */
  readonly sizeBytes?: number;
  readonly schemaVersion: number;
  readonly counts: RowCounts;
}

/** What the thread of the database takes of the memory of the process. */
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
  /** What PML foresaw, and what became of it. */
  readonly episodes: EpisodeStore;
  readonly experience: ExperienceStore;
  readonly graph: GraphStore;
  readonly ranking: RankingStore;
  readonly outputs: OutputStore;
  readonly capabilities: CapabilityStore;
  /** The same where machines share them. */
  readonly sharedCapabilities?: SharedCapabilityStore;
  readonly results: ResultStore;
  /** On PostgreSQL, where machines share their runs. The embedded database has none. */
  readonly runLog?: RunLog;
  info(): Promise<StoreInfo>;
  /** What the database takes of this process. PostgreSQL takes nothing of it. */
  memory?(): Promise<StoreMemory>;
  /** Brings everything written so far into the data files. PostgreSQL does that on its own. */
  checkpoint(): Promise<void>;
  /** Gives back space and memory that nothing needs. For moments in which nobody waits. */
  tidy(): Promise<void>;
  /** Copies the data directory. Undefined on PostgreSQL, where backups are the server's business. */
  snapshot(): Promise<SnapshotFile | undefined>;
}
