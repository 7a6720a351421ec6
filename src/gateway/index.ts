export { Gateway, type GatewayParts } from './gateway.js';
export { type HttpOptions, HttpServer } from './http-server.js';
export { Session, type SessionOptions, type SessionState } from './session.js';
export type { GatewaySettings } from './settings.js';
