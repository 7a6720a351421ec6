import {
  PmlError,
  type RunCommand,
  type RunId,
  type RunOutcome,
  type RunState,
  type Task,
  type TaskId,
  type TaskState,
} from '../core/index.js';
import { orderTasks } from '../plan/index.js';
import { findTask } from './change-tasks.js';

type Status = TaskState['status'];

/** In which state a task must be for a decision about it to mean something. */
const FITS: Readonly<Record<'approve' | 'reject' | 'retry' | 'skip', readonly Status[]>> = {
  approve: ['needs_approval'],
  reject: ['needs_approval'],
  retry: ['failed', 'in_doubt'],
  skip: ['needs_approval', 'waiting', 'failed', 'in_doubt'],
};

/**
 * Refuses a decision that does not fit the run as it is now: of two that are made at once, the
 * second finds its question answered.
 */
export function checkCommand(state: RunState, command: RunCommand): void {
  if (state.finished) throw runFinished(state.run, state.finished.outcome);
  if (state.aborted) throw new PmlError('RUN_DECIDED', `Run ${state.run} is already being aborted`);
  if (command.kind === 'abort') return;
  if (command.kind === 'inject' || command.kind === 'replan') {
    // Executed again, a script would take them for calls of its own.
    if (state.script) throw ownCalls(state.run);
    checkNew(state, command.tasks);
    return;
  }
  for (const id of command.tasks) checkTask(state, id, command.kind);
}

function ownCalls(run: RunId): PmlError {
  const message = `Run ${run} executes a script, which makes its own calls; begin another run for more`;
  return new PmlError('BAD_REQUEST', message, { details: { run } });
}

/** After "has already". */
export function endedHow(outcome: RunOutcome): string {
  return outcome === 'aborted' || outcome === 'rejected' ? `been ${outcome}` : outcome;
}

function runFinished(run: RunId, outcome: RunOutcome): PmlError {
  return new PmlError(
    'RUN_FINISHED',
    `Run ${run} has already ${endedHow(outcome)}; there is nothing left to decide`,
    { details: { run } },
  );
}

/** A task that waits for one that never comes would keep the run from ever ending. */
function checkNew(state: RunState, added: readonly Task[]): void {
  const taken = new Set(state.tasks.map(({ task }) => task.id));
  for (const { id } of added) {
    if (taken.has(id)) {
      throw new PmlError('PLAN_INVALID', `Run ${state.run} already has a task \`${id}\``);
    }
    taken.add(id);
  }
  orderTasks({ tasks: [...state.tasks.map(({ task }) => task), ...added] });
}

function checkTask(state: RunState, id: TaskId, kind: keyof typeof FITS): void {
  const found = findTask(state, id);
  if (!found) {
    const known = state.tasks.map(({ task }) => task.id).join(', ');
    throw new PmlError('BAD_REQUEST', `Run ${state.run} has no task \`${id}\`; it has ${known}`);
  }
  if (FITS[kind].includes(found.status)) return;
  const earlier = state.decisions.findLast(
    ({ command }) => 'tasks' in command && command.tasks.some((one) => one === id),
  );
  const why = earlier
    ? `the ${earlier.by} already decided: ${earlier.command.kind}`
    : `only a task that is ${FITS[kind].join(' or ')} can be`;
  throw new PmlError(
    earlier ? 'RUN_DECIDED' : 'BAD_REQUEST',
    `Cannot ${kind} task \`${id}\`, which is ${found.status}: ${why}`,
    { details: { run: state.run, task: id, status: found.status } },
  );
}
