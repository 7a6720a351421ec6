import { messageKind, RPC, type RpcId, type RpcMessage, type RpcResponse } from '../rpc/index.js';

/** Requests that change nothing: they are simply asked again. */
const REPEATABLE: ReadonlySet<string> = new Set([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
]);

export interface Lost {
  /** Whole lines to send to the next daemon. */
  readonly repeat: readonly string[];
  /** Answers for the client: its call may or may not have been carried out. */
  readonly errors: readonly RpcResponse[];
}

/**
 * Works out, after the daemon died, what becomes of the requests it had: `sent` are the client's
 * lines it had not confirmed, `open` those it had read and not answered, `received` its last words.
 */
export function findLost(
  sent: readonly string[],
  received: readonly string[],
  open: readonly RpcId[],
): Lost {
  const answered = new Set<RpcId | null>();
  for (const message of received.flatMap(parse)) {
    if (messageKind(message) === 'response') answered.add((message as RpcResponse).id);
  }
  const repeat: string[] = [];
  const errors: RpcResponse[] = [];
  const seen = new Set<RpcId>();
  for (const line of sent) {
    for (const message of parse(line)) {
      if (!('method' in message) || !('id' in message)) continue;
      seen.add(message.id);
      if (answered.has(message.id)) continue;
      if (REPEATABLE.has(message.method)) repeat.push(JSON.stringify(message));
      else errors.push(lostError(message.id));
    }
  }
  for (const id of open) if (!seen.has(id) && !answered.has(id)) errors.push(lostError(id));
  return { repeat, errors };
}

function parse(line: string): readonly RpcMessage[] {
  if (line.trim() === '') return [];
  try {
    const value = JSON.parse(line) as RpcMessage | RpcMessage[];
    return (Array.isArray(value) ? value : [value]).filter((one) => messageKind(one) !== undefined);
  } catch {
    return []; // Cut short by the crash, or never JSON: nobody waits for it.
  }
}

function lostError(id: RpcId): RpcResponse {
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: RPC.connectionLost,
      message:
        'The PML daemon was restarted while this call ran; it may or may not have been carried out. It is safe to retry if the call changes nothing.',
      data: { retryable: true },
    },
  };
}
