import { AsyncLocalStorage } from 'node:async_hooks';

import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

import type { RpcId } from '../../rpc/index.js';
import { streamOfEvent, writeEventId } from './event-id.js';

const MAX_EVENTS = 1_000;
const MAX_BYTES = 16_000_000;

interface KeptEvent {
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

/** The last events of one HTTP session, so that a client that lost its stream can catch up. */
export class EventMemory implements EventStore {
  readonly #events = new Map<string, KeptEvent>();
  readonly #request = new AsyncLocalStorage<RpcId | undefined>();
  #bytes = 0;
  #next = 0;

  /** Events that are stored while `act` runs belong to this request, or to none. */
  during<T>(request: RpcId | undefined, act: () => T): T {
    return this.#request.run(request, act);
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = writeEventId(streamId, ++this.#next, this.#request.getStore());
    const bytes = Buffer.byteLength(JSON.stringify(message));
    this.#events.set(id, { streamId, message, bytes });
    this.#bytes += bytes;
    this.#forgetOldest();
    return id;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const streamId = streamOfEvent(lastEventId);
    for (const [id, event] of this.#events) {
      if (event.streamId !== streamId || id <= lastEventId) continue;
      // A stream is opened with an empty event; it is a bookmark, not a message.
      if (Object.keys(event.message).length > 0) await send(id, event.message);
    }
    return streamId;
  }

  #forgetOldest(): void {
    for (const [id, { bytes }] of this.#events) {
      if (this.#events.size <= MAX_EVENTS && this.#bytes <= MAX_BYTES) return;
      this.#events.delete(id);
      this.#bytes -= bytes;
    }
  }
}
