export { collectGarbage } from './collect-garbage.js';
export { ChildRecords, livingChildren } from './child-records.js';
export { isGroupAlive, signalGroup } from './kill-group.js';
export { acquireOwnerLock, lockOwner } from './owner-lock.js';
export { isSameProcess, processIdentity } from './process-identity.js';
