export { createEmbeddedStore, type EmbeddedStoreOptions } from './embedded/embedded-store.js';
export { type RepairOptions, type RepairReport, repairStore } from './embedded/repair-store.js';
export type { StoreMemory } from './embedded/pglite-protocol.js';
export type { SnapshotFile } from './embedded/snapshots.js';
export { createPostgresStore, type PostgresStoreOptions } from './postgres/postgres-store.js';
export type { Store, StoreInfo } from './store.js';
export type { RowCounts } from './tables/row-counts.js';
