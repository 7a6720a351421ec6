import type { Transport } from '@modelcontextprotocol/server';

import type { Channel, RpcMessage, SendOptions } from '../rpc/index.js';

/** A server-side transport of the MCP SDK as a channel. */
export class HttpServerChannel implements Channel {
  onmessage: ((message: RpcMessage) => void) | undefined;
  onclose: ((reason: Error) => void) | undefined;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.onmessage = (message) => this.onmessage?.(message as unknown as RpcMessage);
    transport.onclose = () => this.onclose?.(new Error('the client has left'));
  }

  send(message: RpcMessage, { relatedRequestId }: SendOptions = {}): Promise<void> {
    const options = relatedRequestId === undefined ? {} : { relatedRequestId };
    return this.#transport.send(message as Parameters<Transport['send']>[0], options);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
