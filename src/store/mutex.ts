/** One holder at a time, in the order of asking. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Resolves with the function that lets the next one in. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    let release: () => void = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await task();
    } finally {
      release();
    }
  }
}
