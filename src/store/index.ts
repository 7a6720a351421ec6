export { createEmbeddedStore, type EmbeddedStoreOptions } from './embedded/embedded-store.js';
export { type RepairOptions, type RepairReport, repairStore } from './embedded/repair-store.js';
export { createPostgresStore, type PostgresStoreOptions } from './postgres/postgres-store.js';
export type { SnapshotFile, Store, StoreInfo, StoreMemory } from './store.js';
export type { RowCounts } from './tables/row-counts.js';
