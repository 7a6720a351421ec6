import {
  type CallOptions,
  messageOf,
  PmlError,
  resultFault,
  type TaskError,
  tellDoubt,
  type ToolId,
  type ToolResult,
  wasRefused,
} from '../../core/index.js';

export type TaskEnd =
  | { readonly status: 'completed'; readonly result: ToolResult }
  | { readonly status: 'failed'; readonly error: TaskError; readonly result?: ToolResult };

export interface RunTaskOptions extends CallOptions {
  readonly timeoutMs: number | undefined;
  /** Whether the call may have changed something though no answer came. */
  readonly repeatable: boolean;
}

const MESSAGE_CHARACTERS = 500;

/** A timer for longer than this fires at once. */
const MOST_TIMEOUT_MS = 2 ** 31 - 1;

/** Makes one call. Never rejects, and settles on abort even if the tool does not listen. */
export async function runTask(
  tool: ToolId,
  call: (options: CallOptions) => Promise<ToolResult>,
  { timeoutMs, signal, repeatable, ...options }: RunTaskOptions,
): Promise<TaskEnd> {
  const timeout =
    timeoutMs === undefined ? undefined : AbortSignal.timeout(Math.min(timeoutMs, MOST_TIMEOUT_MS));
  const stop = AbortSignal.any(timeout ? [signal, timeout] : [signal]);
  let hasLeft = false;
  const onSent = () => {
    hasLeft = true;
  };
  const end = (code: TaskError['code'], message: string) =>
    failed(code, hasLeft && !repeatable ? tellDoubt(code, message) : message);
  if (signal.aborted) return failed('CALL_CANCELLED', `${tool} was not called`);
  try {
    return endOf(tool, await untilAborted(call({ ...options, signal: stop, onSent }), stop));
  } catch (error) {
    if (signal.aborted) return end('CALL_CANCELLED', `${tool} was cancelled`);
    if (timeout?.aborted) {
      return end('TOOL_TIMED_OUT', `${tool} gave no answer within ${timeoutMs} ms`);
    }
    const code = error instanceof PmlError ? error.code : 'SERVER_ERROR';
    return wasRefused(error) ? failed(code, messageOf(error)) : end(code, messageOf(error));
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function endOf(tool: ToolId, result: ToolResult): TaskEnd {
  const fault = resultFault(result);
  if (fault !== undefined) {
    throw new PmlError('SERVER_PROTOCOL_ERROR', `${tool} answered with a result that ${fault}`);
  }
  if (result.isError !== true) return { status: 'completed', result };
  return { ...failed('TOOL_FAILED', errorText(result)), result };
}

function failed(code: TaskError['code'], message: string) {
  return { status: 'failed', error: { code, message } } as const;
}

function errorText({ content }: ToolResult): string {
  const texts = content.map((block) => block['text']).filter((text) => typeof text === 'string');
  const text = texts.join('\n') || 'the tool reported an error without saying which';
  if (text.length <= MESSAGE_CHARACTERS) return text;
  // Half of a surrogate pair is no valid text.
  return `${text.slice(0, MESSAGE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
