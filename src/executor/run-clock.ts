import type { RunEvent } from '../core/index.js';

/**
 * The clock of one run. It never goes back, whatever that of the machine does, for the order in which
 * a script saw its answers and timers is read off their times when it is executed again.
 */
export class RunClock {
  readonly #now: () => number;
  #least: number;

  /** `events` are those the run has already: it is not earlier than they. */
  constructor(now: () => number, events: readonly RunEvent[]) {
    this.#now = now;
    this.#least = events.reduce((ms, one) => Math.max(ms, 'at' in one ? one.at : 0), 0);
  }

  now(): number {
    this.#least = Math.max(this.#least, this.#now());
    return this.#least;
  }

  /** From here on it shows this, or later. */
  reach(ms: number): void {
    this.#least = Math.max(this.#least, ms);
  }
}
