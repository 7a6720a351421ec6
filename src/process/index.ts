export { ChildRecords } from './child-records.js';
export { isGroupAlive, signalGroup } from './kill-group.js';
export { acquireOwnerLock } from './owner-lock.js';
export { isSameProcess, processIdentity } from './process-identity.js';
