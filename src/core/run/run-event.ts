import type { RunId, ServerName, TaskId } from '../ids.js';
import type { JsonObject } from '../json.js';
import type { Progress, ToolResult } from '../ports.js';
import type { Principal } from '../principal.js';
import type { SandboxLine } from '../sandbox.js';
import type { Task } from './plan.js';
import type { RemoteTask } from './remote-task.js';
import type {
  ApprovalMode,
  Decider,
  RunCommand,
  RunOutcome,
  RunScript,
  ScriptEnd,
  TaskError,
  TracedOperation,
} from './run-command.js';
import type { RunState } from './run-state.js';

/** What happened during one run, in order. A run can be rebuilt from its events alone. */
export type RunEvent =
  | {
      readonly type: 'run-started';
      readonly run: RunId;
      /** Milliseconds since 1970, here and below. */
      readonly at: number;
      readonly intent?: string;
      readonly tasks: readonly Task[];
      readonly approve: ApprovalMode;
      readonly context: JsonObject;
      /** Its calls become tasks as it makes them. */
      readonly script?: RunScript;
      /** Whether the run may call only read-only tools. */
      readonly isReadOnly?: boolean;
      /** Who began it; missing for the user, and in journals older than principals. */
      readonly owner?: Principal;
      /** Name of the profile that its client uses. */
      readonly profile?: string;
    }
  /** A fold of everything before it, which it replaces. */
  | { readonly type: 'run-checkpoint'; readonly state: RunState }
  /** The script made a call. */
  | { readonly type: 'task-called'; readonly task: Task; readonly at: number }
  | {
      readonly type: 'task-started';
      readonly task: TaskId;
      readonly at: number;
      /** Whether the call is idempotent. */
      readonly repeatable: boolean;
    }
  /** Its server carries it out as a task of its own; another process can go on waiting for that. */
  | {
      readonly type: 'task-deferred';
      readonly task: TaskId;
      readonly at: number;
      readonly remote: RemoteTask;
    }
  /** Only for watchers; never written to the journal. */
  | { readonly type: 'task-progress'; readonly task: TaskId; readonly progress: Progress }
  | {
      readonly type: 'task-completed';
      readonly task: TaskId;
      readonly at: number;
      readonly ms: number;
      readonly result: ToolResult;
    }
  | {
      readonly type: 'task-failed';
      readonly task: TaskId;
      readonly at: number;
      readonly ms: number;
      readonly error: TaskError;
      /** What the tool answered, if it answered with an error. */
      readonly result?: ToolResult;
    }
  /** It will be called again: its last call failed or was cut off, and repeating it is harmless. */
  | {
      readonly type: 'task-retried';
      readonly task: TaskId;
      readonly at: number;
      readonly because: string;
    }
  /** Its call may or may not have happened; only the user or agent can find out. */
  | {
      readonly type: 'task-doubted';
      readonly task: TaskId;
      readonly at: number;
      readonly because: string;
    }
  /** It is ready and must not start before the user or agent approves. */
  | {
      readonly type: 'task-held';
      readonly task: TaskId;
      readonly at: number;
      readonly because: string;
      /** Its server refused the call until a person signs in; then the run resumes by itself. */
      readonly signIn?: ServerName;
    }
  | {
      readonly type: 'task-skipped';
      readonly task: TaskId;
      readonly at: number;
      readonly because: string;
      /** The failed task that it needs; it runs after all if that one is retried. */
      readonly need?: TaskId;
    }
  | {
      readonly type: 'decision-made';
      readonly at: number;
      readonly by: Decider;
      readonly command: RunCommand;
      /** Merged into the context of the run. */
      readonly context?: JsonObject;
    }
  | {
      readonly type: 'script-ended';
      /** The task that ran it; without one it is that of the run itself. */
      readonly task?: TaskId;
      readonly at: number;
      readonly end: ScriptEnd;
      /** What it printed. */
      readonly logs: readonly SandboxLine[];
      readonly operations: readonly TracedOperation[];
    }
  | {
      readonly type: 'message-added';
      readonly at: number;
      readonly text: string;
      /** Who said it; missing for what PML notes itself, and in older journals. */
      readonly by?: Decider;
    }
  | {
      readonly type: 'run-finished';
      readonly at: number;
      /** How long the run took, by a monotonic clock. Older records do not have it. */
      readonly ms?: number;
      readonly outcome: RunOutcome;
    };
