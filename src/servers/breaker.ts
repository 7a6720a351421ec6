/** Failed starts in a row before we stop trying at every call. */
const TOLERATED = 3;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Decides whether a server that keeps failing may be tried again. The first failures cost nothing,
 * then every further one doubles the pause.
 */
export class Breaker {
  readonly #now: () => number;
  #failures = 0;
  #openUntil = 0;
  #lastError: Error | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  get lastError(): Error | undefined {
    return this.#lastError;
  }

  /** Milliseconds until the next try is allowed; 0 is now. */
  get pauseMs(): number {
    return Math.max(0, this.#openUntil - this.#now());
  }

  failed(error: Error): void {
    this.#failures++;
    this.#lastError = error;
    if (this.#failures < TOLERATED) return;
    const pause = FIRST_PAUSE_MS * 2 ** (this.#failures - TOLERATED);
    this.#openUntil = this.#now() + Math.min(pause, LONGEST_PAUSE_MS);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = 0;
    this.#lastError = undefined;
  }
}
