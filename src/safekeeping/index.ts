export { applyUpdate } from './apply-update.js';
export { FileCapabilityStore } from './file-capability-store.js';
export { SyncedFile } from './synced-file.js';
