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
  recorded: RecordedCall,
  call: () => Promise<Result>,
): Promise<Result> {
  const at = Date.now();
  const began = performance.now();
  const finish = (end: Pick<FinishedCall, 'outcome' | 'response' | 'error'>) => {
    activity.record(finishedCall(recorded, end, { at, ms: performance.now() - began }));
  };
  try {
    const response = await call();
    finish({ outcome: response.isError === true ? 'error' : 'ok', response });
    return response;
  } catch (error) {
    const outcome = recorded.signal.aborted ? 'cancelled' : 'failed';
    finish({ outcome, error: messageOf(error) });
    throw error;
  }
}

/** Written out, so that all calls share one layout in memory. */
function finishedCall(
  { way, tool, server, request, caller, run, task, isSpeculated }: RecordedCall,
  { outcome, response, error }: Pick<FinishedCall, 'outcome' | 'response' | 'error'>,
  { at, ms }: Pick<FinishedCall, 'at' | 'ms'>,
): FinishedCall {
  const client = asText(caller.info['name']) || 'unknown';
  return {
    at,
    ms,
    client,
    way,
    tool,
    server,
    outcome,
    error,
    request,
    response,
    run,
    task,
    isSpeculated,
  };
}
