import { messageKind, type RpcMessage } from './messages.js';

/** How a message may begin; which of its keys comes first is up to its writer. */
const BEGINNING = /\{\s*"(?:jsonrpc|id|method|result|error)"/g;
const MAX_TRIES = 10;

/**
 * Parses one line of a stream that may hold anything. A batch gives several messages. Garbage that
 * was printed without a newline stands before the next message on the same line, so that message is
 * looked for before the line is given up.
 */
export function parseLine(text: string): readonly RpcMessage[] | undefined {
  const whole = tryParse(text);
  if (whole !== undefined) return whole;
  let tries = 0;
  for (const { index } of text.matchAll(BEGINNING)) {
    const messages = index === 0 ? undefined : tryParse(text.slice(index));
    if (messages) return messages;
    if (++tries === MAX_TRIES) break;
  }
  return undefined;
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
