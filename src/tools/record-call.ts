import {
  type PastCall,
  PmlError,
  type PmlErrorCode,
  type ToolId,
  type ToolResult,
} from '../core/index.js';

/** Failures that say something about the tool, and not about the request or its rights. */
const OF_THE_TOOL: ReadonlySet<PmlErrorCode> = new Set([
  'SERVER_CRASHED',
  'SERVER_ERROR',
  'SERVER_NOT_STARTED',
  'SERVER_PROTOCOL_ERROR',
  'SERVER_TOO_LARGE',
  'TOOL_FAILED',
  'TOOL_TIMED_OUT',
]);

/** Makes a call and tells how it went; nothing is told of a call that never reached its tool. */
export async function recordCall<Result extends ToolResult>(
  tool: ToolId,
  call: () => Promise<Result>,
  record: (call: PastCall) => void,
): Promise<Result> {
  const began = performance.now();
  const ms = () => performance.now() - began;
  try {
    const result = await call();
    // Its server asks back first; the answers come with another call.
    if (isQuestion(result)) return result;
    record({ tool, ok: result.isError !== true, ms: ms() });
    return result;
  } catch (error) {
    if (error instanceof PmlError && OF_THE_TOOL.has(error.code)) {
      record({ tool, ok: false, ms: ms() });
    }
    throw error;
  }
}

function isQuestion(result: ToolResult): boolean {
  return (result as { readonly resultType?: unknown }).resultType === 'input_required';
}
