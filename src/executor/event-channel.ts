/** An unbounded hand-over from many producers to one `for await` consumer. */
export class EventChannel<T> implements AsyncIterable<T> {
  #buffer: T[] = [];
  #closed = false;
  #wake: () => void = () => {};

  push(value: T): void {
    if (this.#closed) return;
    this.#buffer.push(value);
    this.#wake();
  }

  /** What was pushed before is still handed over. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    while (true) {
      const batch = this.#buffer;
      this.#buffer = [];
      yield* batch;
      if (this.#buffer.length > 0) continue;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
