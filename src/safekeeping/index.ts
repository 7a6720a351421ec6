export { FileCapabilityStore } from './file-capability-store.js';
export { keptCapabilities } from './kept-capabilities.js';
export { FileCatalog } from './kept-catalog.js';
export { keptModels } from './kept-models.js';
export { SyncedFile } from './synced-file.js';
