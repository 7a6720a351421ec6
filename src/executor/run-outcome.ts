import type { RunOutcome, RunState, TaskState } from '../core/index.js';

/**
 * How a run ends that has nothing left to do. An abort that comes when everything is already done
 * changes nothing. A run is `rejected` when the user rejected a task and nothing failed by itself.
 */
export function outcomeOf(state: RunState): RunOutcome {
  const { tasks, aborted, script } = state;
  // A script may have dealt with the failures of its calls.
  if (script?.end) {
    const { end } = script;
    if (end.status === 'returned') return 'completed';
    return quotesRejection(end.error.message, state) ? 'rejected' : 'failed';
  }
  if (!script && tasks.every(({ status }) => status === 'completed')) return 'completed';
  if (aborted) return 'aborted';
  const isRejected = rejectedTasks(state).length > 0 && !tasks.some((one) => isFailure(one, state));
  return isRejected ? 'rejected' : 'failed';
}

export type RejectedTask = Extract<TaskState, { readonly status: 'skipped' }>;

/** The tasks that the user or the agent rejected. */
export function rejectedTasks({ tasks }: RunState): readonly RejectedTask[] {
  return tasks.filter(
    (one): one is RejectedTask => one.status === 'skipped' && one.rejectedBy !== undefined,
  );
}

function isFailure(one: TaskState, state: RunState): boolean {
  return one.status === 'failed' && !quotesRejection(one.error.message, state);
}

/** Code that does not catch the rejection of its call ends with the words of that rejection. */
function quotesRejection(message: string, state: RunState): boolean {
  return rejectedTasks(state).some(({ task, because }) =>
    message.includes(`${task.tool}: ${because}`),
  );
}
