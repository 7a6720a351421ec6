export { ActivityLog, type ActivityLogOptions, type KeptCall } from './activity-log.js';
export type { FinishedCall } from './finished-call.js';
export type { KeptText } from './bounded-json.js';
