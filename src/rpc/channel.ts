import type { RpcId, RpcMessage } from './messages.js';

export interface SendOptions {
  /** The request this message belongs to; HTTP needs it to choose the stream. */
  readonly relatedRequestId?: RpcId;
  /** Ends the HTTP exchange of this message. */
  readonly requestSignal?: AbortSignal;
  /** Headers of the HTTP exchange of this message; other transports have none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A two-way stream of messages. The transports of the MCP SDK have this shape too.
 * `onclose` fires once; sending afterwards rejects.
 */
export interface Channel {
  /** Has use for `requestSignal`; making one for every request is not free. */
  readonly wantsRequestSignal?: boolean;
  onmessage: ((message: RpcMessage) => void) | undefined;
  onclose: ((reason: Error) => void) | undefined;
  send(message: RpcMessage, options?: SendOptions): void | Promise<void>;
  close(reason: Error): Promise<void>;
}
