import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type RunState,
  type SandboxCall,
  type SandboxReply,
  type TaskError,
  type TaskId,
  taskId,
  type TaskState,
  type ToolId,
} from '../core/index.js';
import { findTask } from '../executor/index.js';
import { outputValue } from '../plan/index.js';

/** The built-in tool behind `load(handle)`. */
export const LOAD_TOOL = 'pml:load_result';

/** What a call of a script asks for; without arguments if those are no object. */
export function readCall({ kind, name, args }: SandboxCall): {
  readonly tool: ToolId;
  readonly args: JsonObject | undefined;
} {
  return { tool: toolOf(kind, name), args: argsOf(kind, name, args) };
}

function toolOf(kind: SandboxCall['kind'], name: string): ToolId {
  if (kind === 'tool') return name as ToolId;
  return (kind === 'capability' ? `cap:${name}` : LOAD_TOOL) as ToolId;
}

function argsOf(kind: SandboxCall['kind'], name: string, args: JsonValue): JsonObject | undefined {
  if (kind === 'load') return { handle: name };
  if (args === null) return {};
  return isJsonObject(args) ? args : undefined;
}

/** An id that no task of the run has. Tasks of a plan may have any names. */
export function freshId(state: RunState): TaskId {
  let number = state.tasks.length + 1;
  while (findTask(state, taskId(`c${number}`))) number++;
  return taskId(`c${number}`);
}

export function badArgs(tool: ToolId): TaskError {
  return { code: 'ARGUMENTS_INVALID', message: `${tool} takes one object with its arguments` };
}

export function givenUp(tool: ToolId): TaskError {
  return { code: 'CALL_CANCELLED', message: `${tool} was not called: its script was given up` };
}

/** What a script gets from a task that ended. `now` is what its clock shows then. */
export function replyOf(task: TaskState, now: number): SandboxReply {
  if (task.status === 'completed') return { ok: true, value: outputValue(task.result), now };
  if (task.status === 'failed') return refusal(task.error, now);
  const message = task.status === 'skipped' ? task.because : 'was not carried out';
  return refusal({ code: 'TOOL_DENIED', message: `${task.task.tool}: ${message}` }, now);
}

export function refusal({ code, message }: TaskError, now: number): SandboxReply {
  return { ok: false, error: { name: 'ToolError', message, code }, now };
}
