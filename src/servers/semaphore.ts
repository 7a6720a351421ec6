/** Lets `limit` holders in at a time; the others wait in line, first come first served. */
export class Semaphore {
  readonly #limit: number;
  #held = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Undefined when a place is free at once, so that the common case costs no turn of the loop. */
  enter(signal: AbortSignal | undefined): Promise<void> | undefined {
    if (this.#held < this.#limit) {
      this.#held++;
      return undefined;
    }
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const onTurn = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(onTurn), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(onTurn);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#held--;
  }
}
