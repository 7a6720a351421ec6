import { type JsonObject, nestsDeeper } from '../core/index.js';
import { RPC, RpcError } from '../rpc/index.js';

/** Deeper than anybody writes by hand, and far from what runs a recursive reader out of stack. */
const MOST_LEVELS = 256;

/** Refuses, before anything reads them, parameters that nest so deep that reading them could fail. */
export function assertShallow(params: JsonObject): void {
  if (!nestsDeeper(params, MOST_LEVELS)) return;
  throw new RpcError(
    RPC.invalidParams,
    `params nest more than ${MOST_LEVELS} levels deep. Send a flatter value, or deep data as text`,
  );
}
