export { Gateway, type GatewayParts } from './gateway.js';
export { Session, type SessionOptions, type SessionState } from './session.js';
export type { GatewaySettings } from './settings.js';
