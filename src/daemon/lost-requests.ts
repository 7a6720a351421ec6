import { asText, CAPABILITY_SERVER, isJsonObject, type JsonObject } from '../core/index.js';
import {
  messageKind,
  RPC,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
  type SessionState,
} from '../rpc/index.js';

/** Read-only requests: the relay simply resends them. */
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

/** A request that the daemon has read and not answered; complete if the relay may resend it. */
export interface OpenRequest {
  readonly id: RpcId;
  readonly repeat?: RpcRequest;
  /** The tool of a call that concerns a run, which outlives the daemon. */
  readonly runTool?: RunTool;
}

type RunTool = 'pml_execute_workflow' | 'pml_execute_code' | 'pml_continue' | 'capability';
const CAPABILITY_TOOLS = `${CAPABILITY_SERVER}__`;
const RUN_TOOLS: ReadonlySet<unknown> = new Set<RunTool>([
  'pml_execute_workflow',
  'pml_execute_code',
  'pml_continue',
]);

export function describeOpen(request: RpcRequest): OpenRequest {
  const { id, method, params } = request;
  const name = method === 'tools/call' ? params?.['name'] : undefined;
  if (REPEATABLE.has(method) || isLooking(name, params)) return { id, repeat: request };
  if (typeof name === 'string' && name.startsWith(CAPABILITY_TOOLS)) {
    return { id, runTool: 'capability' };
  }
  return isRunTool(name) ? { id, runTool: name } : { id };
}

/** Read-only calls that search tools, read, or wait for a run. The next daemon answers them. */
function isLooking(name: unknown, params: JsonObject | undefined): boolean {
  if (name === 'pml_discover' || name === 'pml_read') return true;
  const args = params?.['arguments'];
  if (name !== 'pml_continue' || !isJsonObject(args)) return false;
  const saysSomething = args['message'] !== undefined || args['because'] !== undefined;
  // Resending would add its message to the run twice.
  return !saysSomething && (args['decision'] === undefined || args['decision'] === 'wait');
}

function isRunTool(name: unknown): name is RunTool {
  return RUN_TOOLS.has(name);
}

export interface Lost {
  /** Whole lines to send to the next daemon. */
  readonly repeat: readonly string[];
  /** Answers for the client: its call may or may not have been carried out. */
  readonly errors: readonly RpcResponse[];
  /** The session, when the daemon greeted the client and died before it could report that. */
  readonly session: SessionState | undefined;
}

/**
 * Decides, after the daemon died, what happens to its requests: `sent` are the client's lines that
 * it had not confirmed, `open` those it had read and not answered, `received` its last output.
 */
export function findLost(
  sent: readonly string[],
  received: readonly string[],
  open: readonly OpenRequest[],
): Lost {
  const answers = new Map<RpcId | null, RpcResponse>();
  for (const message of received.flatMap(parse)) {
    if (messageKind(message) !== 'response') continue;
    answers.set((message as RpcResponse).id, message as RpcResponse);
  }
  const requests = sent.flatMap(parse).filter(isRequest);
  const all = new Map<RpcId, OpenRequest>([
    ...open.map((request) => [request.id, request] as const),
    ...requests.map((request) => [request.id, describeOpen(request)] as const),
  ]);
  const lost = [...all.values()].filter(({ id }) => !answers.has(id));
  return {
    repeat: lost.flatMap(({ repeat }) => (repeat ? [JSON.stringify(repeat)] : [])),
    errors: lost.flatMap((request) => (request.repeat ? [] : [lostError(request)])),
    session: requests.reduce<SessionState | undefined>(
      (session, request) => greetedSession(request, answers.get(request.id)) ?? session,
      undefined,
    ),
  };
}

function isRequest(message: RpcMessage): message is RpcRequest {
  return messageKind(message) === 'request';
}

function greetedSession(
  { method, params = {} }: RpcRequest,
  answer: RpcResponse | undefined,
): SessionState | undefined {
  if (method !== 'initialize' || !answer || !('result' in answer)) return undefined;
  const { clientInfo, capabilities } = params;
  return {
    protocolVersion: asText(answer.result['protocolVersion']),
    info: isJsonObject(clientInfo) ? clientInfo : {},
    capabilities: isJsonObject(capabilities) ? capabilities : {},
    logLevel: undefined,
    subscriptions: [],
  };
}

function parse(line: string): readonly RpcMessage[] {
  if (line.trim() === '') return [];
  try {
    const value = JSON.parse(line) as RpcMessage | RpcMessage[];
    return (Array.isArray(value) ? value : [value]).filter((one) => messageKind(one) !== undefined);
  } catch {
    return []; // Cut short by the crash, or never JSON: no request is pending.
  }
}

function lostError({ id, runTool }: OpenRequest): RpcResponse {
  const { advice, retryable } = ADVICE[runTool ?? 'other'];
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: RPC.connectionLost,
      message: `The PML daemon was restarted while this call ran; ${advice}`,
      data: { retryable },
    },
  };
}

/** The relay does not resend a request that began a run: the next daemon resumes that run. */
const BEGUN =
  'its run, if it had begun, goes on by itself. pml_continue without "run" lists unfinished runs; collect yours with decision "wait" before you start';

const ADVICE: Readonly<Record<RunTool | 'other', { advice: string; retryable: boolean }>> = {
  pml_execute_workflow: {
    advice: `${BEGUN} the workflow again.`,
    retryable: false,
  },
  pml_execute_code: {
    advice: `${BEGUN} the script again.`,
    retryable: false,
  },
  capability: {
    advice: `${BEGUN} the capability again.`,
    retryable: false,
  },
  pml_continue: {
    advice:
      'the run itself is kept. Ask pml_continue with decision "wait" for its state before you decide again.',
    retryable: true,
  },
  other: {
    advice:
      'it may or may not have been carried out. It is safe to retry if the call changes nothing; else check first.',
    retryable: false,
  },
};
