import type { JsonObject, JsonValue } from '../core/index.js';

export type RpcId = string | number;

export interface RpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RpcId;
  readonly method: string;
  readonly params?: JsonObject;
}

export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: JsonObject;
}

export interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: JsonValue;
}

export type RpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly result: JsonObject }
  | { readonly jsonrpc: '2.0'; readonly id: RpcId | null; readonly error: RpcErrorBody };

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

/** A JSON-RPC failure that must reach the other side as it is: code, message and data. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: JsonValue | undefined;

  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.code = code;
    this.data = data;
  }

  get body(): RpcErrorBody {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The user is to open an address first; it stands in the data. */
  urlElicitationRequired: -32042,
  /** The request went to a server or daemon that died; whether it was carried out is unknown. */
  connectionLost: -32010,
} as const;

/** Sorts a parsed value into the four kinds of message, or undefined if it is none. */
export function messageKind(
  value: unknown,
): 'request' | 'notification' | 'response' | 'error-without-id' | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { id, method, result } = value as Record<string, unknown>;
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (typeof method === 'string') {
    if (hasId) return 'request';
    return id === undefined ? 'notification' : undefined;
  }
  // An error that is nonsense is an error all the same: its request must not wait for another.
  if (result === undefined && !('error' in value)) return undefined;
  return hasId ? 'response' : 'error-without-id';
}
