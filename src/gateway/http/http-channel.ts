import type { Transport } from '@modelcontextprotocol/server';

import type { Channel, RpcMessage, SendOptions } from '../../rpc/index.js';
import type { EventMemory } from './event-memory.js';

/** A server-side transport of the MCP SDK as a channel. */
export class HttpServerChannel implements Channel {
  onmessage: ((message: RpcMessage) => void) | undefined;
  onclose: ((reason: Error) => void) | undefined;
  readonly #transport: Transport;
  readonly #events: EventMemory | undefined;

  constructor(transport: Transport, events?: EventMemory) {
    this.#transport = transport;
    this.#events = events;
    // The SDK has parsed it; our peer checks every field it reads.
    transport.onmessage = (message) => this.onmessage?.(message as unknown as RpcMessage);
    transport.onclose = () => this.onclose?.(new Error('the client has left'));
  }

  send(message: RpcMessage, { relatedRequestId }: SendOptions = {}): Promise<void> {
    const options = relatedRequestId === undefined ? {} : { relatedRequestId };
    const send = () => this.#transport.send(message as Parameters<Transport['send']>[0], options);
    return this.#events ? this.#events.during(relatedRequestId, send) : send();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
