import { messageOf } from '../../core/index.js';
import { type ErrorMasks, maskRpcError, RpcError } from '../../rpc/index.js';

/** An error as a client may see it; one without secrets stays what it is. */
export function maskError(error: unknown, masks: ErrorMasks): unknown {
  if (error instanceof RpcError) return maskRpcError(error, masks);
  const message = messageOf(error);
  const masked = masks.all(message);
  return masked === message ? error : new Error(masked);
}
