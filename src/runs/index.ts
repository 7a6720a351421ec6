export { ObservedOutputs } from './observed-outputs.js';
export { type NewRun, Runs, type RunsOptions, type RunView } from './runs.js';
export { LOAD_TOOL, type ReadyCode, type ScriptPorts } from './script-driver.js';
