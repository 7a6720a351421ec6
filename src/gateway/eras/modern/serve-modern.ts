import {
  declares,
  isJsonObject,
  type JsonObject,
  PmlError,
  TASKS_EXTENSION,
} from '../../../core/index.js';
import { MODERN_VERSION, RPC, RpcError } from '../../../rpc/index.js';
import type { RequestContext } from '../../../tools/index.js';
import { listenFault, methodNotFound } from '../../session/client-capability.js';
import { HeldCall, HeldCalls } from '../../session/held-calls.js';
import { heldContext } from '../../session/held-context.js';
import { BegunRun, type RunTasks } from '../../tasks/run-tasks.js';
import { type Envelope, envelopeFault, isSupported, MODERN_METHODS } from './modern.js';

const UNSUPPORTED_VERSION = -32022;
const RESOURCE_NOT_FOUND = -32002;

/** Requests in the middle of which a server may want to know something of the client. */
const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

export type Dispatch = (
  method: string,
  params: JsonObject,
  context: RequestContext,
) => Promise<JsonObject>;

export interface ModernRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly envelope: Envelope;
  readonly context: RequestContext;
}

/** Refuses a request of the stateless revision that we cannot serve. */
export function assertModern(method: string, params: JsonObject, envelope: Envelope): void {
  const { version, capabilities } = envelope;
  if (!isSupported(version)) {
    throw new RpcError(UNSUPPORTED_VERSION, `Unsupported protocol version: ${version}`, {
      supported: [MODERN_VERSION],
      requested: version,
    });
  }
  const fault = envelopeFault(params);
  if (fault) throw new RpcError(RPC.invalidParams, `Invalid _meta envelope: ${fault}`);
  if (!MODERN_METHODS.has(method)) throw methodNotFound(method);
  const refusal = method === 'subscriptions/listen' && listenFault(params, capabilities);
  if (refusal) throw refusal;
}

/** A server of the older revision may ask in the middle of a call: then the call is held. */
export async function serveModern(
  { method, params, envelope, context }: ModernRequest,
  dispatch: Dispatch,
  { held, tasks }: { readonly held: HeldCalls; readonly tasks: RunTasks },
): Promise<JsonObject> {
  if (!MAY_ASK.has(method)) return dispatch(method, params, context).catch(modernError);
  const state = params['requestState'];
  const mayBeTask = method === 'tools/call' && declares(envelope.capabilities, TASKS_EXTENSION);
  const begun = mayBeTask ? new BegunRun() : undefined;
  const call = HeldCalls.isOurs(state)
    ? held.resume(state, isJsonObject(params['inputResponses']) ? params['inputResponses'] : {})
    : new HeldCall((own, stop) =>
        dispatch(method, params, { ...heldContext(own, context, stop), onRun: begun?.onRun }),
      );
  call.request = context;
  // A client that is gone is not one that cancelled: its run may go on.
  const onAbort = () => {
    const reason: unknown = context.signal.reason;
    const isError = reason instanceof Error;
    call.abort(isError ? reason : new PmlError('CALL_CANCELLED', 'cancelled by the client'));
  };
  context.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const answer = begun ? tasks.wait(call, begun, held) : held.wait(call);
    return await answer.catch(modernError);
  } finally {
    call.request = undefined;
    context.signal.removeEventListener('abort', onAbort);
  }
}

/** The stateless revision has no code of its own for a resource that is not there. */
function modernError(error: unknown): never {
  if (error instanceof RpcError && error.code === RESOURCE_NOT_FOUND) {
    throw new RpcError(RPC.invalidParams, error.message, error.data);
  }
  throw error as Error;
}
