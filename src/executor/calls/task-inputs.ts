import {
  type JsonObject,
  type JsonValue,
  messageOf,
  PmlError,
  type RunState,
  type Task,
  type TaskError,
  type TaskId,
  type ToolId,
} from '../../core/index.js';
import { CONTEXT, outputValue, resolveArgs } from '../../plan/index.js';
import { findTask } from '../change-tasks.js';

type CheckArgs = (tool: ToolId, args: JsonObject) => string | undefined;

/** Fills in what the arguments of a task refer to. What a task gave is read once. */
export class TaskInputs {
  readonly #checkArgs: CheckArgs;
  readonly #outputs = new Map<TaskId, JsonValue>();

  constructor(checkArgs: CheckArgs) {
    this.#checkArgs = checkArgs;
  }

  prepare(task: Task, state: RunState): { args: JsonObject } | { error: TaskError } {
    try {
      const outputs = this.#outputsFor(task, state);
      const args = resolveArgs(task, outputs);
      // Without anything filled in they are as they were when the plan was checked.
      const problem = outputs.size > 0 ? this.#checkArgs(task.tool, args) : undefined;
      if (problem === undefined) return { args };
      return { error: { code: 'ARGUMENTS_INVALID', message: `${task.tool}: ${problem}` } };
    } catch (error) {
      const code = error instanceof PmlError ? error.code : 'REFERENCE_INVALID';
      return { error: { code, message: messageOf(error) } };
    }
  }

  /** What the task may refer to; results may also come from a journal or from a decision. */
  #outputsFor({ needs }: Task, state: RunState): ReadonlyMap<TaskId, JsonValue> {
    const { context } = state;
    const outputs = new Map<TaskId, JsonValue>();
    const isTaken = findTask(state, CONTEXT) !== undefined;
    if (!isTaken && Object.keys(context).length > 0) outputs.set(CONTEXT, context);
    for (const id of needs) outputs.set(id, this.#outputOf(id, state));
    return outputs;
  }

  #outputOf(id: TaskId, state: RunState): JsonValue {
    const known = this.#outputs.get(id);
    if (known !== undefined) return known;
    const need = findTask(state, id);
    const output = need?.status === 'completed' ? outputValue(need.result) : null;
    this.#outputs.set(id, output);
    return output;
  }
}
