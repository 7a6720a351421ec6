import type { Progress, RemoteTask, RunId, TaskId } from '../core/index.js';
import type { Trail } from '../discovery/index.js';
import type { Caller } from '../servers/index.js';
import type { ContextBudget } from '../tool-text/index.js';

/** The client or run that a server is called for. */
export interface CallContext {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Set if the client wants progress notifications. */
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** Called when the call has been sent to its server. */
  readonly onSent?: (() => void) | undefined;
  /** The run and the task that the call is made for; missing for a call of a client. */
  readonly origin?: CallOrigin | undefined;
  /** Called when the server answers with a task of its own. */
  readonly onRemote?: ((remote: RemoteTask) => void) | undefined;
  /** The client of a run that can be asked now; a run outlives its clients. */
  readonly asker?: (() => Caller) | undefined;
  /** The call was made before: PML waits for this task of the server. */
  readonly remote?: RemoteTask | undefined;
}

export interface CallOrigin {
  readonly run?: RunId;
  readonly task?: TaskId;
  /** PML makes the call before the agent asks for it. */
  readonly isSpeculated?: boolean;
}

/** One client request while PML works on it. */
export interface RequestContext extends CallContext {
  /** How much of this client's context tool descriptions have used so far. */
  readonly budget: { current: ContextBudget };
  /** What PML showed to this client, and what the client called. */
  readonly trail: { current: Trail };
  /** The client can wait for a run as for a task: called when the request has one. */
  readonly onRun?: ((run: RunId, answerWithinMs: number) => void) | undefined;
}
