export { ChildRecords } from './child-records.js';
export { isGroupAlive, signalGroup } from './kill-group.js';
export { isSameProcess, processStartTime } from './start-time.js';
