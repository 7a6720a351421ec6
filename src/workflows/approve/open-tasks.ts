import type { ApprovalMode, RunState, TaskId, TaskState } from '../../core/index.js';

/** The tasks a paused run asks about. */
export function openTasks({ tasks, approve }: RunState): readonly TaskState[] {
  return tasks.filter(
    ({ status }) =>
      status === 'needs_approval' ||
      status === 'in_doubt' ||
      (status === 'failed' && approve === 'per_layer'),
  );
}

export interface PersonFirst {
  /** Before what runs stop by the configuration. */
  readonly configured: ApprovalMode;
  /** Whether the policy wants calls of the task's tool approved. */
  readonly isRisky: (task: TaskState) => boolean;
}

/**
 * Of what a run asks, what a person is asked first where the client can ask one. Layers of a run
 * whose agent wanted to stop after each of them are the agent's own question: of these a person is
 * only asked what the policy wants approved, and what may or may not have happened.
 */
export function tasksForPerson(
  state: RunState,
  { configured, isRisky }: PersonFirst,
): readonly TaskState[] {
  // No answer to a question signs a user in.
  const open = openTasks(state).filter(
    (one) => one.status !== 'needs_approval' || one.signIn === undefined,
  );
  const isAgentsTurn = state.approve === 'per_layer' && configured !== 'per_layer';
  if (!isAgentsTurn) return open;
  const byId = new Map<TaskId, TaskState>(state.tasks.map((one) => [one.task.id, one]));
  return open.filter((one) => {
    if (one.status !== 'needs_approval') return one.status === 'in_doubt';
    const isLost = one.task.needs.some((need) => isOver(byId.get(need)));
    // The agent decides first what becomes of a call that cannot be made any more.
    return !isLost && isRisky(one);
  });
}

function isOver(one: TaskState | undefined): boolean {
  return one?.status === 'failed' || one?.status === 'skipped';
}
