export { type NewRun, Runs, type RunsOptions, type RunView } from './runs.js';
