import type { Progress } from '../../core/index.js';
import type { Caller } from '../../servers/index.js';
import type { RequestContext } from '../../tools/index.js';
import { lackingCapability } from './client-capability.js';
import type { HeldCall } from './held-calls.js';

/** What the server reports goes to the request that waits now: the first one may have ended. */
export function heldContext(
  held: HeldCall,
  context: RequestContext,
  stop: AbortSignal,
): RequestContext {
  const { capabilities } = context.caller;
  const ask: Caller['ask'] = (method, params) => {
    const lacking = lackingCapability(method, capabilities);
    return lacking ? Promise.reject(lacking) : held.ask(method, params);
  };
  const tell: Caller['tell'] = (method, params) => held.request?.caller.tell(method, params);
  const report = (progress: Progress) => held.request?.onProgress?.(progress);
  return {
    ...context,
    caller: { ...context.caller, ask, tell },
    signal: stop,
    onProgress: context.onProgress && report,
  };
}
