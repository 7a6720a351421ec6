import type { RunState, TaskState, ToolResult } from '../core/index.js';
import { outputValue } from '../plan/index.js';

const KEPT_CHARACTERS = 500;

/** A finished run as it is kept for long: all that happened, with the beginning of each result. */
export function compactState(state: RunState): RunState {
  const tasks = state.tasks
    .map(withoutResults)
    .map((task) =>
      'result' in task && task.result ? { ...task, result: shortened(task.result) } : task,
    );
  return { ...state, tasks };
}

/** Nothing will be called with them any more; their names stay in the arguments. */
function withoutResults(one: TaskState): TaskState {
  if (!one.task.results) return one;
  const { results: _, ...task } = one.task;
  return { ...one, task };
}

function shortened(result: ToolResult): ToolResult {
  if (JSON.stringify(result).length <= KEPT_CHARACTERS) return result;
  const value = outputValue(result);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    content: [{ type: 'text', text: beginningOf(text) }],
    ...(result.isError && { isError: true }),
  };
}

function beginningOf(text: string): string {
  if (text.length <= KEPT_CHARACTERS) return text;
  // Half of a surrogate pair is no valid text.
  const start = text.slice(0, KEPT_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
  return `${start}… (${text.length} characters, no longer kept)`;
}
