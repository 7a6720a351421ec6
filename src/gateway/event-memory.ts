import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

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
  #bytes = 0;
  #next = 0;

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const id = `${streamId}_${String(++this.#next).padStart(10, '0')}`;
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
    const streamId = lastEventId.slice(0, lastEventId.lastIndexOf('_'));
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
