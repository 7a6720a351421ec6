import type { RunId, RunOutcome, TaskId } from '../core/index.js';
import type { RunState, TaskState } from './run-state.js';

export type TaskSummary = { readonly id: TaskId } & TaskState;

export interface RunSummary {
  readonly status: 'completed' | 'failed' | 'aborted';
  readonly run: RunId | undefined;
  /** In plan order. */
  readonly tasks: readonly TaskSummary[];
}

const STATUS = {
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'aborted',
} as const satisfies Record<RunOutcome, RunSummary['status']>;

/** A run whose end was never seen counts as aborted: nobody may believe it did all its work. */
export function summarizeRun({ run, tasks, outcome }: RunState): RunSummary {
  return {
    status: outcome ? STATUS[outcome] : 'aborted',
    run,
    tasks: [...tasks].map(([id, task]) => ({ id, ...task })),
  };
}
