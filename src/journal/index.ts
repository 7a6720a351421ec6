export { type FileRunLog, type FileRunLogOptions, openFileRunLog } from './file-run-log.js';
export type { DamagedRun } from './run-index.js';
