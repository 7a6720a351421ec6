import type { JsonValue, RunState, TaskState } from '../core/index.js';
import { outputsFor } from '../executor/index.js';
import { resolveArgs } from '../planner/index.js';
import { cutAt } from './cut-text.js';

const SHOWN_CHARACTERS = 600;
const SHOWN_TASKS = 20;

/** The tasks a paused run asks about. */
export function openTasks({ tasks, approve }: RunState): readonly TaskState[] {
  return tasks.filter(
    ({ status }) =>
      status === 'held' ||
      status === 'doubtful' ||
      (status === 'failed' && approve === 'per_layer'),
  );
}

/** What a run asks, in words: each call with its arguments, and why it did not simply happen. */
export function describeQuestion(state: RunState, asked: readonly TaskState[]): string {
  const lines = asked.slice(0, SHOWN_TASKS).map((one) => `- ${describeOpen(state, one)}`);
  const more = asked.length - lines.length;
  if (more > 0) lines.push(`… and ${more} more`);
  const done = state.tasks.filter(({ status }) => status === 'succeeded').length;
  const about = state.intent ? ` (${state.intent})` : '';
  const head = `Run ${state.run}${about}: ${done} of ${state.tasks.length} tasks are done.`;
  return [head, ...lines].join('\n');
}

function describeOpen(state: RunState, one: TaskState): string {
  const { task } = one;
  const call = `${task.tool} with ${argsOf(state, one)}`;
  switch (one.status) {
    case 'doubtful':
      return `task ${task.id}: ${call} may or may not have been carried out (${one.because})`;
    case 'held':
      return `task ${task.id} wants to call ${call} (${one.because})`;
    case 'failed':
      return `task ${task.id}: ${call} failed: ${one.error.message}`;
    default:
      return `task ${task.id}: ${call}`;
  }
}

/** The arguments of a call with everything filled in that is known. */
function argsOf(state: RunState, { task }: TaskState): string {
  const text = JSON.stringify(resolvedOf(state, task));
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, cutAt(text, SHOWN_CHARACTERS))}… (${text.length} characters)`;
}

export function resolvedOf(state: RunState, task: TaskState['task']): JsonValue {
  try {
    return resolveArgs(task, outputsFor(task, state));
  } catch {
    return task.args; // An input is not there yet, or never will be: the reference itself tells.
  }
}
