export { collectGarbage, heapBytes } from './collect-garbage.js';
export { ChildRecords, livingChildren } from './child-records.js';
export { descriptors, type Descriptors, fileLimit, hasRoom, isExhausted } from './descriptors.js';
export { isGroupAlive, signalGroup } from './kill-group.js';
export { acquireOwnerLock, lockOwner } from './owner-lock.js';
export { isSameProcess, processIdentity } from './process-identity.js';
