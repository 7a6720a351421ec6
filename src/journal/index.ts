export { type FileRunLog, type FileRunLogOptions, openFileRunLog } from './file-run-log.js';
export type { DamagedRun } from './run-index.js';
export { type JournalReport, verifyJournal } from './verify-journal.js';
