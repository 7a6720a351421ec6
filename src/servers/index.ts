export type { Caller } from './caller.js';
export type { StartedAhead } from './connection/connections.js';
export type { Greeting } from './connection/handshake.js';
export type { RawListing } from './listing.js';
export type { ManagedServer, NotifiedClient, ServerStatus } from './managed-server.js';
export { readHeaderParams } from './param-headers.js';
export { type PoolEvents, type PoolSettings, ServerPool } from './server-pool.js';
export type { ServerRequestOptions } from './server-requests.js';
