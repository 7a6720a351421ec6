/** So many observations a second teach the predictor; more would only take time of the daemon. */
const PER_SECOND = 25;
/** A client may make so many calls at once before the rate counts. */
const BURST = 200;

/**
 * Whether the predictor may observe one more call. A program that calls tools in a loop makes
 * thousands of calls a second, and every one of them says the same.
 */
export class ObserveBudget {
  readonly #now: () => number;
  #left = BURST;
  #at: number;

  /** The clock gives milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#at = now();
  }

  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#at) * PER_SECOND) / 1_000);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
