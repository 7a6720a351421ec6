import type { TaskId } from '../../core/index.js';

const MOST_RETRY_DELAY_MS = 10_000;

/** The tasks that PML calls again a little later. Each attempt doubles the delay. */
export class RetryDelays {
  readonly #firstMs: number;
  readonly #onDue: () => void;
  readonly #timers = new Map<TaskId, NodeJS.Timeout>();

  constructor(firstMs: number, onDue: () => void) {
    this.#firstMs = firstMs;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#timers.size;
  }

  has(task: TaskId): boolean {
    return this.#timers.has(task);
  }

  add(task: TaskId, attempts: number): void {
    const ms = Math.min(this.#firstMs * 2 ** (attempts - 1), MOST_RETRY_DELAY_MS);
    const timer = setTimeout(() => {
      this.#timers.delete(task);
      this.#onDue();
    }, ms);
    this.#timers.set(task, timer);
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
