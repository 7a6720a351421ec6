export { outputsFor } from './approved-args.js';
export { checkCommand } from './check-command.js';
export { LiveRun } from './live-run.js';
export { layersOf } from './plan-shape.js';
export type { RunOptions, RunPhase, RunPorts } from './run-options.js';
export { applyEvent, foldEvents, runMs } from './run-state.js';
export { type RunStatus, type RunSummary, summarizeRun } from './summarize-run.js';
export { type RunTrace, traceRun } from './trace-run.js';
export { WakeUp } from './wake-up.js';
