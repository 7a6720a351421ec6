export { ObservedOutputs } from './observed-outputs.js';
export { type NewRun, Runs, type RunsOptions, type RunView } from './runs.js';
export { LOAD_TOOL } from './script-call.js';
export type { ReadyCode, ScriptPorts } from './script-ports.js';
