import { maskJson, messageOf } from '../core/index.js';
import { RpcError } from '../rpc/index.js';

/** An error as a client may see it; one without secrets stays what it is. */
export function maskError(error: unknown, mask: (text: string) => string): unknown {
  const message = messageOf(error);
  const masked = mask(message);
  if (error instanceof RpcError) {
    const { code, data } = error;
    return new RpcError(code, masked, data === undefined ? data : maskJson(data, mask));
  }
  return masked === message ? error : new Error(masked);
}
