import { messageKind, type RpcMessage } from './messages.js';

const MARK = '{"jsonrpc"';

/**
 * Parses one line of a stream that may hold anything. A batch gives several messages. Garbage that
 * was printed without a newline stands before the next message on the same line, so that message is
 * looked for before the line is given up.
 */
export function parseLine(text: string): readonly RpcMessage[] | undefined {
  const whole = tryParse(text);
  if (whole !== undefined) return whole;
  const start = text.indexOf(MARK);
  return start > 0 ? tryParse(text.slice(start)) : undefined;
}

function tryParse(text: string): readonly RpcMessage[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the caller counts and logs it.
  }
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const messages = values.filter((item): item is RpcMessage => messageKind(item) !== undefined);
  return messages.length > 0 ? messages : undefined;
}
