export { Gateway, type GatewayParts } from './gateway.js';
export { metaTools, META_INSTRUCTIONS } from './meta-tools.js';
export { Session, type SessionOptions, type SessionState } from './session.js';
export type { GatewaySettings } from './settings.js';
