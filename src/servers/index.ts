export type { Caller } from './caller.js';
export type { Greeting } from './handshake.js';
export type { RawListing } from './listing.js';
export { readHeaderParams } from './param-headers.js';
export type { ManagedServer, ServerRequestOptions, ServerStatus } from './managed-server.js';
export { type PoolEvents, type PoolSettings, ServerPool } from './server-pool.js';
