export { createRuns } from './create-runs.js';
export { Gateway, type GatewayParts } from './gateway.js';
export { MOST_INTENT_CHARACTERS, searchTools, toolFilter } from './search-tools.js';
export { Session, type SessionOptions, type SessionState } from './session.js';
export type { GatewaySettings } from './settings.js';
export { readContinue } from './read-workflow.js';
export { describeQuestion, openTasks, resolvedOf } from './run-question.js';
export { decideRun } from './serve-continue.js';
export { startWorkflow } from './serve-workflow.js';
