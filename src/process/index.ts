export { ChildRecords, livingChildren } from './child-records.js';
export { collectGarbage, heapBytes } from './collect-garbage.js';
export { type LoopPauses, takeLoopPauses } from './loop-pauses.js';
export { descriptors, hasRoom, isExhausted } from './descriptors.js';
export { isGroupAlive, signalGroup } from './kill-group.js';
export { addressSpaceLimit, fileLimit } from './limits.js';
export { acquireOwnerLock, lockOwner, type LockOwner } from './owner-lock.js';
export { isSameProcess, isSuspended, processIdentity } from './process-identity.js';
