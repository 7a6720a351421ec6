export { DashboardServer, type DashboardOptions } from './http/dashboard-server.js';
export { loadWebFiles } from './http/web-files.js';
export { EventHub } from './live/event-hub.js';
export { takeSnapshot } from './live/snapshot.js';
export { watchDaemon } from './live/watch-daemon.js';
export { type KeptSession, SignIns } from './sign-ins.js';
