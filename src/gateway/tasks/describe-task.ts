import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  type RunState,
} from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';
import type { HeldCall } from '../session/held-calls.js';

/** How often a client should ask for the state of a run. */
const POLL_MS = 500;
/** How long PML promises to keep the end of a task; runs are kept for longer. */
export const KEEP_MS = 600_000;

export interface TaskNow {
  readonly id: string;
  readonly call: HeldCall;
  readonly state: RunState;
  readonly now: number;
}

/** A run as a task: what every answer about it has in common. */
export function taskOf({ id, call, state, now }: TaskNow): JsonObject {
  const { startedAt, finished } = state;
  const updatedAt = finished?.at ?? now;
  const message = messageFor(state);
  return {
    taskId: id,
    status: statusOf(call, state),
    ...(message && { statusMessage: message }),
    createdAt: new Date(startedAt).toISOString(),
    lastUpdatedAt: new Date(Math.max(startedAt, updatedAt)).toISOString(),
    // A run may take as long as it likes; only its end is kept for a time.
    ttlMs: call.end ? Math.max(0, Math.round(now - startedAt)) + KEEP_MS : null,
    pollIntervalMs: POLL_MS,
  };
}

/** The same with what the status promises: questions, result or error. */
export function detailedTask(task: TaskNow): JsonObject {
  const common = taskOf(task);
  const { end, questions } = task.call;
  switch (common['status']) {
    case 'input_required':
      return { ...common, inputRequests: questions };
    case 'completed':
      return { ...common, result: end && 'result' in end ? end.result : {} };
    case 'failed':
      return { ...common, error: errorOf(end && 'error' in end ? end.error : undefined) };
    default:
      return common;
  }
}

function statusOf({ end, questions }: HeldCall, { aborted }: RunState): string {
  if (!end) return Object.keys(questions).length > 0 ? 'input_required' : 'working';
  if (aborted) return 'cancelled';
  return 'error' in end ? 'failed' : 'completed';
}

function messageFor({ tasks, script, aborted }: RunState): string | undefined {
  if (aborted) return aborted.because;
  const ended = tasks.filter(({ status }) =>
    ['completed', 'failed', 'skipped'].includes(status),
  ).length;
  if (tasks.length === 0) return undefined;
  return script ? `${ended} calls done` : `${ended} of ${tasks.length} tasks done`;
}

function errorOf(error: unknown): JsonValue {
  if (error instanceof RpcError && isJsonObject(error.body)) return error.body;
  return { code: RPC.internalError, message: messageOf(error) };
}
