import type { ServerResponse } from 'node:http';

/** One that had no request for this long makes room for a new one when there are too many. */
const MAKES_ROOM_MS = 60_000;
/** Far above what a client needs: an agent has a handful of calls and one stream open. */
const MOST_OPEN = 256;

export interface PresenceOptions {
  /** How many there may be. */
  readonly most: number;
  /** One without an open request or stream is forgotten after this time. */
  readonly idleMs: number;
  readonly now: () => number;
}

interface Present {
  /** Requests and event streams that are open now. */
  openCount: number;
  idleSince: number;
  timer: NodeJS.Timeout | undefined;
  readonly end: () => void;
}

/** The clients over HTTP that something is kept for between their requests. */
export class HttpPresence {
  readonly #options: PresenceOptions;
  readonly #present = new Map<string, Present>();

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#present.size;
  }

  has(key: string): boolean {
    return this.#present.has(key);
  }

  /** Whether one more may come. If there are too many, the one that was idle for longest leaves. */
  hasRoom(): boolean {
    if (this.#present.size < this.#options.most) return true;
    const idle = [...this.#present.values()]
      .filter(({ openCount }) => openCount === 0)
      .toSorted((one, other) => one.idleSince - other.idleSince)[0];
    if (!idle || this.#options.now() - idle.idleSince < MAKES_ROOM_MS) return false;
    idle.end();
    return this.#present.size < this.#options.most;
  }

  /** Whether one that is known may open another request or stream. */
  mayOpen(key: string): boolean {
    return (this.#present.get(key)?.openCount ?? 0) < MOST_OPEN;
  }

  /** `end` is called when the client is idle for too long; it must lead to `delete`. */
  add(key: string, end: () => void): void {
    const idleSince = this.#options.now();
    this.#present.set(key, { openCount: 0, idleSince, timer: undefined, end });
  }

  delete(key: string): void {
    clearTimeout(this.#present.get(key)?.timer);
    this.#present.delete(key);
  }

  /** The time without a client runs only while no request and no event stream is open. */
  touch(key: string, response: ServerResponse): void {
    const present = this.#present.get(key);
    if (!present) return;
    present.openCount++;
    clearTimeout(present.timer);
    response.once('close', () => {
      present.openCount--;
      if (present.openCount > 0 || this.#present.get(key) !== present) return;
      present.idleSince = this.#options.now();
      present.timer = setTimeout(present.end, this.#options.idleMs);
      present.timer.unref();
    });
  }
}
