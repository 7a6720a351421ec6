import type { Progress, RunId, TaskId } from '../core/index.js';
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
}
