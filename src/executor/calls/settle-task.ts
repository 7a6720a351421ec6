import {
  isCapability,
  messageOf,
  parseToolId,
  type RunEvent,
  type Task,
  type TaskError,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import type { TaskEnd } from './run-task.js';

export interface SettleOptions {
  readonly at: number;
  readonly ms: number;
  /** Calls made so far. */
  readonly attempts: number;
  /** Whether PML may retry it at all: it is harmless, and the run still wants its result. */
  readonly mayRepeat: boolean;
  readonly retries: number;
  readonly isTransient: (error: TaskError) => boolean;
  readonly checkResult: (tool: ToolId, result: ToolResult) => string | undefined;
}

/** What the end of a call means for the run: its events, and whether PML retries it. */
export function settleTask(
  { id: task, tool }: Task,
  end: TaskEnd,
  { at, ms, ...options }: SettleOptions,
): { readonly events: readonly RunEvent[]; readonly isRetried: boolean } {
  const checked = checkEnd(tool, end, options);
  if (checked.status === 'completed') {
    const { result } = checked;
    return { events: [{ type: 'task-completed', task, at, ms, result }], isRetried: false };
  }
  const { error, result } = checked;
  if (error.code === 'SIGN_IN_NEEDED' && !isCapability(tool)) {
    const signIn = parseToolId(tool).server;
    const held: RunEvent = { type: 'task-held', task, at, because: error.message, signIn };
    return { events: [held], isRetried: false };
  }
  const failed: RunEvent = {
    type: 'task-failed',
    task,
    at,
    ms,
    error,
    ...(result && { result }),
  };
  if (!isRetried(tool, error, options)) return { events: [failed], isRetried: false };
  const retried: RunEvent = { type: 'task-retried', task, at, because: error.message };
  return { events: [failed, retried], isRetried: true };
}

type Rules = Omit<SettleOptions, 'at' | 'ms'>;

/** A retry of failed code would fail the same way: its calls replay their results. */
function isRetried(tool: ToolId, error: TaskError, rules: Rules): boolean {
  const { mayRepeat, attempts, retries, isTransient } = rules;
  return mayRepeat && !isCapability(tool) && attempts <= retries && isTransient(error);
}

/** Schemas come from servers too: a value that cannot be checked does not fit. */
function problemWith(check: () => string | undefined): string | undefined {
  try {
    return check();
  } catch (error) {
    return `it could not be checked (${messageOf(error)})`;
  }
}

function checkEnd(tool: ToolId, end: TaskEnd, { checkResult }: Rules): TaskEnd {
  if (end.status !== 'completed') return end;
  const problem = problemWith(() => checkResult(tool, end.result));
  if (problem === undefined) return end;
  const message = `${tool} answered something else than it declares: ${problem}`;
  return { status: 'failed', error: { code: 'OUTPUT_INVALID', message }, result: end.result };
}
