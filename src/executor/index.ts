export { checkCommand } from './check-command.js';
export { LiveRun, type RunOptions, type RunPhase, type RunPorts } from './live-run.js';
export { layersOf } from './plan-shape.js';
export { foldEvents } from './run-state.js';
export { type RunStatus, type RunSummary, summarizeRun } from './summarize-run.js';
export { type RunTrace, traceRun } from './trace-run.js';
