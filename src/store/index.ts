export { createEmbeddedStore, type EmbeddedStoreOptions } from './embedded-store.js';
export { createPostgresStore, type PostgresStoreOptions } from './postgres-store.js';
export { repairStore, type RepairOptions, type RepairReport } from './repair-store.js';
export type { RowCounts } from './row-counts.js';
export type { SnapshotFile } from './snapshots.js';
export type { Store, StoreInfo } from './store.js';
