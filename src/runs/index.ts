export type { FinishedRun, NewRun } from './live-runs.js';
export type { LoneOutcome } from './lone-calls.js';
export { ObservedOutputs } from './observed-outputs.js';
export { type RunView, unknownRun } from './run-view.js';
export { Runs, type RunsOptions } from './runs.js';
export { LOAD_TOOL } from './script-call.js';
export type { ReadyCode, ScriptPorts } from './script-ports.js';
export type { Recovered } from './stored-runs.js';
