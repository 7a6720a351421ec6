import type { RunEvent } from '../core/index.js';

/**
 * The clock of one run. It never goes back, even if the system clock does: a replay reads the
 * order in which a script saw its answers and timers off their timestamps. The duration of the
 * run comes from a monotonic clock.
 */
export class RunClock {
  readonly #now: () => number;
  readonly #monotonic: () => number;
  readonly #sinceStart: () => number;
  /** What the run took before this process resumed it, by the timestamps of its events. */
  readonly #tookBefore: number;
  #least: number;

  /** `events` are those the run already has: the clock starts no earlier than they. */
  constructor(
    now: () => number,
    events: readonly RunEvent[],
    monotonic: () => number = () => performance.now(),
  ) {
    this.#now = now;
    this.#monotonic = monotonic;
    this.#least = events.reduce((ms, one) => Math.max(ms, 'at' in one ? one.at : 0), 0);
    const isNew = events.length <= 1 && events[0]?.type === 'run-started';
    this.#tookBefore = isNew ? 0 : Math.max(0, this.now() - (startOf(events) ?? this.#least));
    this.#sinceStart = this.stopwatch();
  }

  now(): number {
    this.#least = Math.max(this.#least, this.#now());
    return this.#least;
  }

  /** From here on the clock shows this, or later. */
  reach(ms: number): void {
    this.#least = Math.max(this.#least, ms);
  }

  /** Milliseconds since the run began. */
  elapsedMs(): number {
    return this.#tookBefore + this.#sinceStart();
  }

  /** Measures how long ago it was started. */
  stopwatch(): () => number {
    const began = this.#monotonic();
    return () => Math.max(0, Math.round(this.#monotonic() - began));
  }
}

function startOf([first]: readonly RunEvent[]): number | undefined {
  if (first?.type === 'run-started') return first.at;
  return first?.type === 'run-checkpoint' ? first.state.startedAt : undefined;
}
