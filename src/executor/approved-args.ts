import { createHash } from 'node:crypto';

import {
  canonicalJson,
  type JsonValue,
  type RunState,
  type Task,
  type TaskId,
  type TaskState,
} from '../core/index.js';
import { CONTEXT, outputValue, resolveArgs } from '../plan/index.js';
import { findTask } from './change-tasks.js';

/** What the references of a task can point to now: results of what it needs, and the context. */
export function outputsFor({ needs }: Task, state: RunState): Map<TaskId, JsonValue> {
  const outputs = new Map<TaskId, JsonValue>();
  // Reading a result can mean parsing it: only those it takes something from.
  for (const id of needs) {
    const need = findTask(state, id);
    if (need?.status === 'completed') outputs.set(id, outputValue(need.result));
  }
  const hasContext = !findTask(state, CONTEXT) && Object.keys(state.context).length > 0;
  if (hasContext) outputs.set(CONTEXT, state.context);
  return outputs;
}

/**
 * Stands for the arguments that a task would be called with now. Nothing while it cannot be called:
 * who approves then agrees to no call.
 */
export function argsDigest(task: Task, state: RunState): string | undefined {
  const outputs = outputsFor(task, state);
  if (!task.needs.every((need) => outputs.has(need))) return undefined;
  try {
    const args = canonicalJson(resolveArgs(task, outputs));
    return createHash('sha256').update(args).digest('base64url');
  } catch {
    return undefined; // A reference leads nowhere: started, the task fails with the reason.
  }
}

/** Whether the task would be called with what was approved. */
export function isAsApproved({ task, approvedArgs }: TaskState, state: RunState): boolean {
  return argsDigest(task, state) === approvedArgs;
}
