import type { Progress, RunId, TaskId } from '../core/index.js';
import type { Trail } from '../discovery/index.js';
import type { Caller } from '../servers/index.js';
import type { ContextBudget } from '../tool-text/index.js';

/** On whose behalf a server is called. */
export interface CallContext {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Set when somebody wants to hear of progress. */
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** The call has left for its server. */
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

/** One request of a client while we work on it. */
export interface RequestContext extends CallContext {
  /** What tool descriptions have taken of this client's context so far. */
  readonly budget: { current: ContextBudget };
  /** What this client was shown, and what it called. */
  readonly trail: { current: Trail };
}
