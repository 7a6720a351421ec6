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

export type TaskStatus =
  | {
      readonly status: 'waiting';
      /** An earlier process made its call: it waits for this task of the server instead. */
      readonly remote?: RemoteTask;
    }
  /** Ready, and waiting for approval, or for a sign-in to the server that is named. */
  | { readonly status: 'needs_approval'; readonly because: string; readonly signIn?: ServerName }
  | {
      readonly status: 'running';
      readonly at: number;
      readonly repeatable: boolean;
      /** The task of the server that carries out the call. */
      readonly remote?: RemoteTask;
    }
  /** Its call may or may not have happened. */
  | { readonly status: 'in_doubt'; readonly at: number; readonly because: string }
  | {
      readonly status: 'completed';
      readonly at: number;
      readonly ms: number;
      readonly result: ToolResult;
    }
  | {
      readonly status: 'failed';
      readonly at: number;
      readonly ms: number;
      readonly error: TaskError;
      readonly result?: ToolResult;
    }
  | {
      readonly status: 'skipped';
      readonly at: number;
      readonly because: string;
      /** The failed or skipped task that it needs. */
      readonly need?: TaskId;
      /** Who rejected it. */
      readonly rejectedBy?: Decider;
    };

/** What a script left besides its result. */
export interface ScriptRecord {
  readonly logs: readonly SandboxLine[];
  readonly operations: readonly TracedOperation[];
}

/** One task of a run and its progress. */
export type TaskState = {
  readonly task: Task;
  /** Calls made so far. */
  readonly attempts: number;
  readonly isApproved: boolean;
  /** It was not part of the run when that began. */
  readonly isAdded?: true;
  /** Hash of the approved arguments; missing if the task could not be called then. */
  readonly approvedArgs?: string;
  /** Progress of the call under way; the run itself ignores it. */
  readonly progress?: Progress;
  /** For a capability whose code has ended. */
  readonly script?: ScriptRecord;
} & TaskStatus;

export interface RunDecision {
  readonly at: number;
  readonly by: Decider;
  readonly command: RunCommand;
}

/** What the user or agent said about a run with a decision, or what PML noted. */
export interface RunMessage {
  readonly at: number;
  readonly text: string;
  /** Missing for what PML noted itself. */
  readonly by?: Decider;
}

/**
 * A run rebuilt from its events. Tasks, decisions and messages are only ever added; the context is
 * merged. Plain data, so that a checkpoint is this and nothing else.
 */
export interface RunState {
  readonly run: RunId;
  readonly startedAt: number;
  readonly intent?: string;
  readonly approve: ApprovalMode;
  /** In the order they were given, later ones last. */
  readonly tasks: readonly TaskState[];
  readonly decisions: readonly RunDecision[];
  readonly messages: readonly RunMessage[];
  readonly context: JsonObject;
  readonly script?: RunScript & ScriptRecord & { readonly end?: ScriptEnd };
  readonly isReadOnly?: boolean;
  /** Who began it; missing for the user. */
  readonly owner?: Principal;
  /** Name of the profile whose rules it follows. */
  readonly profile?: string;
  /** Set once the user or agent aborts it. */
  readonly aborted?: { readonly because: string };
  readonly finished?: { readonly at: number; readonly ms?: number; readonly outcome: RunOutcome };
}
