import {
  keptError,
  type Mask,
  messageOf,
  type PastCall,
  PmlError,
  type PmlErrorCode,
  type TaskError,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import { errorType } from '../../policy/index.js';

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

interface Recording {
  readonly record: (call: PastCall) => void;
  /** Hides secrets in error messages. */
  readonly mask: Mask;
}

/** Makes a call and records its outcome, unless the call never reached its tool. */
export async function recordCall<Result extends ToolResult>(
  tool: ToolId,
  call: () => Promise<Result>,
  { record, mask }: Recording,
): Promise<Result> {
  const began = performance.now();
  const ms = () => performance.now() - began;
  try {
    const result = await call();
    // The server asks back first, or goes on with a task: the outcome comes with another request.
    if (!isFinal(result)) return result;
    const failure =
      result.isError === true && failed({ code: 'TOOL_FAILED', message: textOf(result) }, mask);
    record({ tool, ok: result.isError !== true, ms: ms(), ...failure });
    return result;
  } catch (error) {
    if (error instanceof PmlError && OF_THE_TOOL.has(error.code)) {
      const failure = failed({ code: error.code, message: messageOf(error) }, mask);
      record({ tool, ok: false, ms: ms(), ...failure });
    }
    throw error;
  }
}

function failed(error: TaskError, mask: Mask): Pick<PastCall, 'errorType' | 'errorMessage'> {
  const errorMessage = keptError(error.message, mask);
  return { errorType: errorType(error), ...(errorMessage !== undefined && { errorMessage }) };
}

/** The first text of a result. For a failure it is the error message. */
function textOf({ content }: ToolResult): string {
  const text = content.find((block) => block['type'] === 'text')?.['text'];
  return typeof text === 'string' ? text : '';
}

function isFinal(result: ToolResult): boolean {
  const { resultType } = result as { readonly resultType?: unknown };
  return resultType !== 'input_required' && resultType !== 'task';
}
