import {
  type CallOptions,
  type JsonObject,
  type JsonValue,
  messageOf,
  PmlError,
  type Task,
  type TaskError,
  type ToolCaller,
  type ToolResult,
} from '../core/index.js';
import { outputValue } from '../planner/index.js';

export type TaskEnd =
  | {
      readonly status: 'succeeded';
      readonly result: ToolResult;
      /** What references to the task see. */
      readonly output: JsonValue;
    }
  | { readonly status: 'failed'; readonly error: TaskError; readonly result?: ToolResult };

export interface RunTaskOptions extends CallOptions {
  readonly timeoutMs: number | undefined;
}

const MESSAGE_CHARACTERS = 500;

/** Calls one tool. Never rejects, and settles on abort even if the tool does not listen. */
export async function runTask(
  { tool }: Task,
  args: () => JsonObject,
  tools: ToolCaller,
  { timeoutMs, signal, ...options }: RunTaskOptions,
): Promise<TaskEnd> {
  const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any(timeout ? [signal, timeout] : [signal]);
  try {
    stop.throwIfAborted();
    return endOf(await untilAborted(tools.call(tool, args(), { ...options, signal: stop }), stop));
  } catch (error) {
    if (signal.aborted) return failed('CALL_CANCELLED', `${tool} was cancelled`);
    if (timeout?.aborted) {
      return failed('TOOL_TIMED_OUT', `${tool} gave no answer within ${timeoutMs} ms`);
    }
    return failed(error instanceof PmlError ? error.code : 'SERVER_ERROR', messageOf(error));
  }
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function endOf(result: ToolResult): TaskEnd {
  if (result.isError !== true) {
    return { status: 'succeeded', result, output: outputValue(result) };
  }
  return { ...failed('TOOL_FAILED', errorText(result)), result };
}

function failed(code: TaskError['code'], message: string) {
  return { status: 'failed', error: { code, message } } as const;
}

function errorText({ content }: ToolResult): string {
  const texts = content.map((block) => block['text']).filter((text) => typeof text === 'string');
  const text = texts.join('\n') || 'the tool reported an error without saying which';
  return text.length > MESSAGE_CHARACTERS ? `${text.slice(0, MESSAGE_CHARACTERS)}…` : text;
}
