import { PmlError, type RunState, type Task, type TaskId, type TaskState } from '../core/index.js';

export function findTask({ tasks }: RunState, id: TaskId): TaskState | undefined {
  return tasks.find(({ task }) => task.id === id);
}

/** With `isLater` they are marked as not having been part of the run when it began. */
export function addTasks(
  state: RunState,
  tasks: readonly Task[],
  { isLater = false } = {},
): RunState {
  const added = tasks.map((task): TaskState => ({
    task,
    attempts: 0,
    isApproved: false,
    ...(isLater && { isAdded: true }),
    status: 'waiting',
  }));
  return { ...state, tasks: [...state.tasks, ...added] };
}

/** What a task keeps when its status changes. */
export function lastingParts({ task, attempts, isApproved, isAdded, approvedArgs }: TaskState) {
  return {
    task,
    attempts,
    isApproved,
    ...(isAdded && { isAdded }),
    ...(approvedArgs !== undefined && { approvedArgs }),
  };
}

export function changeTask(
  state: RunState,
  id: TaskId,
  change: (task: TaskState) => TaskState,
): RunState {
  const index = state.tasks.findIndex(({ task }) => task.id === id);
  const found = state.tasks[index];
  if (!found) throw new PmlError('JOURNAL_FAILED', `The run has no task \`${id}\``);
  return { ...state, tasks: state.tasks.with(index, change(found)) };
}
