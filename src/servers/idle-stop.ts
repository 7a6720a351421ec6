import type { LiveConnection } from './connection/live-connection.js';

/** A server that only had to show its tools is ended after this time. */
const UNCALLED_IDLE_MS = 60_000;

export interface IdleStopOptions {
  /** How long a connection without calls stays open; 0 keeps it open for ever. */
  readonly idleStopMs: number;
  /** The server was started ahead of calls, so it stays as long as one that was called. */
  readonly isStartedAhead: boolean;
  /** Whether the connection must stay open though no call runs over it. */
  readonly isNeeded: () => boolean;
  readonly stop: (live: LiveConnection) => void;
}

/** Ends connections that no call has used for a while. */
export class IdleStop {
  readonly #options: IdleStopOptions;
  readonly #timers = new Map<LiveConnection, NodeJS.Timeout>();

  constructor(options: IdleStopOptions) {
    this.#options = options;
  }

  /** Counts from now, unless a call is running. */
  arm(live: LiveConnection): void {
    this.disarm(live);
    const { idleStopMs, isStartedAhead, isNeeded, stop } = this.#options;
    if (idleStopMs === 0 || live.callCount > 0 || !live.connection) return;
    const isKept = live.hasBeenCalled || isStartedAhead;
    const timer = setTimeout(
      () => {
        if (live.callCount > 0 || isNeeded()) return this.arm(live);
        this.#timers.delete(live);
        stop(live);
      },
      isKept ? idleStopMs : Math.min(idleStopMs, UNCALLED_IDLE_MS),
    );
    timer.unref();
    this.#timers.set(live, timer);
  }

  disarm(live: LiveConnection): void {
    clearTimeout(this.#timers.get(live));
    this.#timers.delete(live);
  }
}
