export { ChildRecords, livingChildren } from './child-records.js';
export { isGroupAlive, signalGroup } from './kill-group.js';
export { acquireOwnerLock, lockOwner } from './owner-lock.js';
export { isSameProcess, isSuspended, processIdentity } from './process-identity.js';
