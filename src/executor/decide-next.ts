import type { Plan, RunOutcome, Task, TaskId } from '../core/index.js';
import type { RunState, TaskState } from './run-state.js';

export type Decision =
  | { readonly kind: 'skip'; readonly task: Task; readonly because: string }
  | { readonly kind: 'start'; readonly task: Task }
  | { readonly kind: 'finish'; readonly outcome: RunOutcome }
  | { readonly kind: 'wait' };

export interface DecideOptions {
  readonly concurrency: number;
  readonly cancelled: boolean;
}

/**
 * The one thing to do next. Tasks start in plan order, each as soon as all it needs succeeded and
 * a place is free; a task whose need failed or was skipped is skipped with that reason.
 */
export function decideNext(plan: Plan, state: RunState, options: DecideOptions): Decision {
  const waiting = plan.tasks.filter((task) => state.tasks.get(task.id)?.status === 'waiting');
  const running = countRunning(state);
  for (const task of waiting) {
    const because = options.cancelled ? 'the run was cancelled' : lostNeed(task, state);
    if (because !== undefined) return { kind: 'skip', task, because };
  }
  if (running < options.concurrency) {
    const task = waiting.find(({ needs }) => needs.every((id) => isDone(state, id)));
    if (task) return { kind: 'start', task };
  }
  if (running > 0 || waiting.length > 0) return { kind: 'wait' };
  return { kind: 'finish', outcome: outcomeOf(state, options) };
}

function countRunning({ tasks }: RunState): number {
  let running = 0;
  for (const { status } of tasks.values()) if (status === 'running') running++;
  return running;
}

const isDone = (state: RunState, id: TaskId) => state.tasks.get(id)?.status === 'succeeded';

function lostNeed({ needs }: Task, state: RunState): string | undefined {
  for (const id of needs) {
    const status = state.tasks.get(id)?.status;
    if (status === 'failed') return `needs \`${id}\`, which failed`;
    if (status === 'skipped') return `needs \`${id}\`, which was skipped`;
  }
  return undefined;
}

/** A cancellation that comes when everything is already done changes nothing. */
function outcomeOf({ tasks }: RunState, { cancelled }: DecideOptions): RunOutcome {
  const all: readonly TaskState[] = [...tasks.values()];
  if (all.every(({ status }) => status === 'succeeded')) return 'succeeded';
  return cancelled ? 'cancelled' : 'failed';
}
