import type { PmlErrorCode } from '../errors.js';
import type { TaskId, ToolId } from '../ids.js';
import type { JsonValue } from '../json.js';
import type { Task } from './plan.js';

/** `rejected`: the user or agent rejected a task, and nothing else went wrong. */
export type RunOutcome = 'completed' | 'failed' | 'rejected' | 'aborted';

/**
 * Before which tasks a run stops and asks: those of risky tools, every layer, or none but those the
 * user's own rules name.
 */
export type ApprovalMode = 'risky' | 'per_layer' | 'never';

/** Who decided: the agent by a call, a person asked through the client, or the command line. */
export type Decider = 'agent' | 'human' | 'user';

export interface TaskError {
  readonly code: PmlErrorCode;
  readonly message: string;
}

/** Code whose calls are the tasks of a run. */
export interface RunScript {
  /** As the agent wrote it. */
  readonly code: string;
  readonly args: JsonValue;
  /** The same seed gives the same random numbers at every replay of the code. */
  readonly seed: number;
  /** Longest time it may take; without it the limit of the configuration applies. */
  readonly timeoutMs?: number;
}

/** An operation of a script on its own data. */
export interface TracedOperation {
  /** Such as `code:filter`. */
  readonly operation: ToolId;
  /** Where it stands in the code. */
  readonly line: number;
  readonly times: number;
  readonly inputs: number;
  readonly outputs: number;
  readonly ms: number;
  /** Calls that the script had made before; refused calls do not count. */
  readonly afterCall: number;
}

/** How a script ended. */
export type ScriptEnd =
  | { readonly status: 'returned'; readonly value: JsonValue }
  | { readonly status: 'failed'; readonly error: TaskError };

/** What may be decided about a run while it is under way. Applied between tasks. */
export type RunCommand =
  | {
      readonly kind: 'approve';
      readonly tasks: readonly TaskId[];
      /** Every further call of these tools in this run needs no approval of its own. */
      readonly tools?: readonly ToolId[];
    }
  | { readonly kind: 'reject'; readonly tasks: readonly TaskId[]; readonly because?: string }
  | { readonly kind: 'retry'; readonly tasks: readonly TaskId[] }
  | {
      readonly kind: 'skip';
      readonly tasks: readonly TaskId[];
      /** What references to the tasks see, for work that was done some other way. */
      readonly result?: JsonValue;
    }
  | { readonly kind: 'inject'; readonly tasks: readonly Task[] }
  | { readonly kind: 'replan'; readonly requirement: string; readonly tasks: readonly Task[] }
  | { readonly kind: 'abort'; readonly because?: string };
