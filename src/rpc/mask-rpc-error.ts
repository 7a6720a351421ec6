import { maskJson } from '../core/index.js';
import { RPC, RpcError } from './messages.js';

export interface ErrorMasks {
  /** Hides known secrets, and what has the form of one. */
  readonly all: (text: string) => string;
  /** Hides known secrets alone. */
  readonly known: (text: string) => string;
}

/** The same error without secrets. Addresses that a user is to open lead nowhere without their tokens. */
export function maskRpcError({ code, message, data }: RpcError, masks: ErrorMasks): RpcError {
  if (data === undefined) return new RpcError(code, masks.all(message));
  const mask = code === RPC.urlElicitationRequired ? masks.known : masks.all;
  return new RpcError(code, masks.all(message), maskJson(data, mask));
}
