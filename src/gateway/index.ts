export { listCapabilityTools } from './exposure/exposed-capabilities.js';
export { exportedSkills } from './exposure/skills.js';
export { Gateway, type GatewayParts } from './gateway.js';
export { isLoopback } from './http/loopback.js';
export { Session, type SessionOptions } from './session/session.js';
