export { listCapabilityTools } from './exposure/exposed-capabilities.js';
export { exportedSkills } from './exposure/skills.js';
export { isLoopback } from './http/loopback.js';
export { Sessions, type SessionsParts } from './session/sessions.js';
export { Session } from './session/session.js';
export type { SessionOptions } from './session/session-options.js';
export type { BearerNames, BearerVerdict } from './http/http-identity.js';
