import type { RunEvent, RunState, TaskError, TaskState } from '../core/index.js';

/**
 * How a run ends that PML itself could not continue. Open calls are split by whether they may
 * have happened, so that a call that was sent is not mistaken for one that was never made.
 */
export function endEvents(state: RunState, error: TaskError, at: number): readonly RunEvent[] {
  const script: RunEvent[] =
    state.script && !state.script.end
      ? [{ type: 'script-ended', at, end: { status: 'failed', error }, logs: [], operations: [] }]
      : [];
  return [
    { type: 'message-added', at, text: error.message },
    ...state.tasks.flatMap((one) => taskEnd(one, error, at)),
    ...script,
    { type: 'run-finished', at, outcome: 'failed' },
  ];
}

function taskEnd(one: TaskState, error: TaskError, at: number): readonly RunEvent[] {
  const task = one.task.id;
  switch (one.status) {
    case 'completed':
    case 'failed':
    case 'skipped':
      return [];
    case 'running':
    case 'in_doubt': {
      const message = `${error.message}; the call may or may not have been carried out`;
      return [{ type: 'task-failed', task, at, ms: 0, error: { ...error, message } }];
    }
    default:
      return [{ type: 'task-skipped', task, at, because: 'PML could not go on with its run' }];
  }
}
