import { declares, isJsonObject, type JsonObject, TASKS_EXTENSION } from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';

const MISSING_CAPABILITY = -32021;

const CAPABILITY_OF: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** Why a client cannot be asked this, or undefined if it can. */
export function lackingCapability(method: string, capabilities: JsonObject): RpcError | undefined {
  const needed = CAPABILITY_OF[method];
  if (needed === undefined) return methodNotFound(method);
  if (capabilities[needed]) return undefined;
  return new RpcError(MISSING_CAPABILITY, `The client does not support ${needed}`, {
    requiredCapabilities: { [needed]: {} },
  });
}

/** Why a client that does not declare an extension cannot use it. */
export function lackingExtension(extension: string): RpcError {
  return new RpcError(MISSING_CAPABILITY, `The client does not declare ${extension}`, {
    requiredCapabilities: { extensions: { [extension]: {} } },
  });
}

/** Why a client may not listen: it wants to hear of tasks and does not declare them. */
export function listenFault(params: JsonObject, capabilities: JsonObject): RpcError | undefined {
  const filter = params['notifications'];
  const isForTasks = isJsonObject(filter) && filter['taskIds'] !== undefined;
  const isRefused = isForTasks && !declares(capabilities, TASKS_EXTENSION);
  return isRefused ? lackingExtension(TASKS_EXTENSION) : undefined;
}

export function methodNotFound(method: string): RpcError {
  return new RpcError(RPC.methodNotFound, `Method not found: ${method}`);
}
