import { type JsonValue, nestsDeeper } from '../../core/index.js';
import { RPC, RpcError } from '../../rpc/index.js';

/** Deeper than hand-written JSON, and far from what runs a recursive reader out of stack. */
const MOST_PARAMS_LEVELS = 256;

/** Why parameters are refused before anything reads them: reading them could run out of stack. */
export function depthFault(params: JsonValue): string | undefined {
  if (!nestsDeeper(params, MOST_PARAMS_LEVELS)) return undefined;
  return `params nest more than ${MOST_PARAMS_LEVELS} levels deep. Send a flatter value, or deep data as text`;
}

export function assertShallow(params: JsonValue): void {
  const fault = depthFault(params);
  if (fault !== undefined) throw new RpcError(RPC.invalidParams, fault);
}
