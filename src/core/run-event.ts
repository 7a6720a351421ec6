import type { PmlErrorCode } from './errors.js';
import type { RunId, TaskId } from './ids.js';
import type { Progress, ToolResult } from './ports.js';

export type RunOutcome = 'succeeded' | 'failed' | 'cancelled';

export interface TaskError {
  readonly code: PmlErrorCode;
  readonly message: string;
}

/** What happened during one run, in order. A run can be rebuilt from its events alone. */
export type RunEvent =
  | { readonly type: 'run-started'; readonly run: RunId; readonly tasks: readonly TaskId[] }
  | { readonly type: 'task-started'; readonly task: TaskId }
  | { readonly type: 'task-progress'; readonly task: TaskId; readonly progress: Progress }
  | {
      readonly type: 'task-succeeded';
      readonly task: TaskId;
      readonly result: ToolResult;
      readonly ms: number;
    }
  | {
      readonly type: 'task-failed';
      readonly task: TaskId;
      readonly error: TaskError;
      /** What the tool answered, if it answered with an error. */
      readonly result?: ToolResult;
      readonly ms: number;
    }
  | { readonly type: 'task-skipped'; readonly task: TaskId; readonly because: string }
  | { readonly type: 'run-finished'; readonly outcome: RunOutcome };
