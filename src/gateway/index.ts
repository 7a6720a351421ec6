export { Gateway, type GatewayParts } from './gateway.js';
export { MOST_INTENT_CHARACTERS, searchTools, toolFilter } from './search-tools.js';
export { Session, type SessionOptions, type SessionState } from './session.js';
export type { GatewaySettings } from './settings.js';
