export { type RunPlanOptions, runPlan } from './run-plan.js';
export { applyEvent, initialRunState, type RunState, type TaskState } from './run-state.js';
export { type RunSummary, summarizeRun, type TaskSummary } from './summarize-run.js';
