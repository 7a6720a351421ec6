import {
  asText,
  isJsonObject,
  type JsonObject,
  PmlError,
  type ProtocolEra,
} from '../../core/index.js';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '../../rpc/index.js';
import type { Caller, ManagedServer } from '../../servers/index.js';
import type { CallContext } from '../request-context.js';
import { isTaskHandle } from '../tasks/task-wire.js';

/** A server may ask again after each answer; more rounds than this is a loop. */
const MAX_ROUNDS = 16;

const ENVELOPE_KEYS: ReadonlySet<string> = new Set([
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
]);

type Send = (params: JsonObject) => Promise<JsonObject>;

/** Sends a client's request to a server and gives back the answer, whatever the two speak. */
export function passRequest(
  server: ManagedServer,
  method: string,
  params: JsonObject,
  context: CallContext,
): Promise<JsonObject> {
  const { caller, signal, onProgress } = context;
  const options = { caller, signal, ...(onProgress && { onProgress }) };
  const send: Send = (own) => server.request(method, paramsFor(server, own, context), options);
  return caller.era === 'modern' ? send(params) : sendAndAnswer(send, params, context);
}

/** Sends until there is a result: what the server asks in between is asked of the client. */
export async function sendAndAnswer(
  send: Send,
  params: JsonObject,
  context: CallContext,
): Promise<JsonObject> {
  let current = params;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const result = await send(current);
    if (isTaskHandle(result)) return result;
    if (result['resultType'] !== 'input_required') return withoutResultType(result);
    current = { ...params, ...(await answerQuestions(result, context)) };
  }
  throw new PmlError('SERVER_PROTOCOL_ERROR', `The server asked ${MAX_ROUNDS} times for input`);
}

/**
 * The parameters as this server must see them. A progress token means something to one connection
 * only: passed on, it would be taken for a request of ours.
 */
export function paramsFor(
  server: { eraFor(caller: Pick<Caller, 'era'>): ProtocolEra },
  params: JsonObject,
  { caller }: { readonly caller: Pick<Caller, 'era' | 'info' | 'capabilities'> },
): JsonObject {
  const { _meta: meta, inputResponses, requestState, ...rest } = params;
  const { progressToken: _token, ...given } = isJsonObject(meta) ? meta : {};
  if (server.eraFor(caller) === 'legacy') {
    const kept = Object.entries(given).filter(([key]) => !ENVELOPE_KEYS.has(key));
    return { ...rest, ...(kept.length > 0 && { _meta: Object.fromEntries(kept) }) };
  }
  const envelope = {
    [CLIENT_INFO_META_KEY]: caller.info,
    [CLIENT_CAPABILITIES_META_KEY]: caller.capabilities,
  };
  return {
    ...rest,
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
    _meta: { ...envelope, ...given },
  };
}

async function answerQuestions(result: JsonObject, context: CallContext): Promise<JsonObject> {
  const requests = isJsonObject(result['inputRequests']) ? result['inputRequests'] : {};
  const answers = await Promise.all(
    Object.entries(requests).map(async ([key, request]) => {
      if (!isJsonObject(request)) {
        throw new PmlError(
          'SERVER_PROTOCOL_ERROR',
          `The server asked for input "${key}" without a request`,
        );
      }
      const { method, params } = request;
      const asked = isJsonObject(params) ? params : undefined;
      return [key, await context.caller.ask(asText(method), asked, context.signal)] as const;
    }),
  );
  const state = result['requestState'];
  return {
    inputResponses: Object.fromEntries(answers),
    ...(typeof state === 'string' && { requestState: state }),
  };
}

/** The older revision has no result types. */
export function withoutResultType<Result extends object>(
  result: Result & { readonly resultType?: unknown },
): Result {
  if (result.resultType === undefined) return result;
  const { resultType: _type, ...rest } = result;
  // Only a field that `Result` does not speak of is gone.
  return rest as unknown as Result;
}
