import type { Progress } from '../core/index.js';
import type { Trail } from '../discovery/index.js';
import type { ContextBudget } from '../search/index.js';
import type { Caller } from '../servers/index.js';

/** One request of a client while we work on it. */
export interface RequestContext {
  readonly caller: Caller;
  readonly signal: AbortSignal;
  /** Set when the client asked for progress. */
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** What tool descriptions have taken of this client's context so far. */
  readonly budget: { current: ContextBudget };
  /** What this client was shown, newest last. */
  readonly trail: { current: Trail };
}
