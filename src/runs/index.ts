export { ObservedOutputs } from './observed-outputs.js';
export { type NewRun, Runs, type RunsOptions, type RunView } from './runs.js';
