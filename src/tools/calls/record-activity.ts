import type { ActivityLog, FinishedCall } from '../../activity/index.js';
import { asText, messageOf, type ToolResult } from '../../core/index.js';
import type { Caller } from '../../servers/index.js';
import type { CallOrigin } from '../request-context.js';

export interface RecordedCall extends CallOrigin {
  readonly way: FinishedCall['way'];
  readonly tool: string;
  readonly server?: string;
  /** Parameters of `tools/call`. */
  readonly request: object;
  readonly caller: Pick<Caller, 'info'>;
  readonly signal: AbortSignal;
}

/** Makes a call and records it, whatever its outcome. */
export async function recordActivity<Result extends ToolResult>(
  activity: ActivityLog,
  { caller, signal, ...rest }: RecordedCall,
  call: () => Promise<Result>,
): Promise<Result> {
  const at = Date.now();
  const began = performance.now();
  const base = () => {
    const client = asText(caller.info['name']) || 'unknown';
    return { ...rest, client, at, ms: performance.now() - began };
  };
  try {
    const response = await call();
    const outcome = response.isError === true ? 'error' : 'ok';
    activity.record({ ...base(), outcome, response });
    return response;
  } catch (error) {
    const outcome = signal.aborted ? 'cancelled' : 'failed';
    activity.record({ ...base(), outcome, error: messageOf(error) });
    throw error;
  }
}
