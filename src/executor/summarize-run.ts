import type { RunId, RunMessage, RunOutcome, RunState, TaskState } from '../core/index.js';
import type { RunPhase } from './run-options.js';

export type RunStatus = RunOutcome | 'needs_approval' | 'needs_decision' | 'running' | 'damaged';

export interface RunSummary {
  readonly status: RunStatus;
  readonly run: RunId;
  readonly intent?: string;
  /** In plan order, those added later last. */
  readonly tasks: readonly TaskState[];
  /** What agents and people said about it, oldest first. */
  readonly messages: readonly RunMessage[];
}

/** A run as clients see it. One that broke counts as failed, so no client believes it is done. */
export function summarizeRun(state: RunState, phase: RunPhase): RunSummary {
  const { run, intent, tasks } = state;
  const messages = state.messages.filter(({ by }) => by !== undefined);
  const status = statusOf(state, phase);
  return { status, run, ...(intent !== undefined && { intent }), tasks, messages };
}

function statusOf(state: RunState, phase: RunPhase): RunStatus {
  if (phase === 'damaged') return 'damaged';
  if (phase === 'broken') return 'failed';
  if (state.finished) return state.finished.outcome;
  if (phase !== 'paused') return 'running';
  const isUndecided = ({ status }: TaskState) =>
    status === 'in_doubt' || (status === 'failed' && state.approve === 'per_layer');
  return state.tasks.some(isUndecided) ? 'needs_decision' : 'needs_approval';
}
