import { messageOf, PmlError, type RunEvent } from '../core/index.js';

/**
 * Writes the events of one run in order: one write after the other, each with all that came up
 * meanwhile. After one that failed there is none, for what followed from the lost events would
 * make no sense without them.
 */
export class JournalWriter {
  readonly #append: (events: readonly RunEvent[]) => Promise<void>;
  readonly #onFailed: () => void;
  #written: Promise<void> = Promise.resolve();
  /** For the write after the one under way. */
  #batch: RunEvent[] | undefined;
  #failure: PmlError | undefined;

  constructor(append: (events: readonly RunEvent[]) => Promise<void>, onFailed: () => void) {
    this.#append = append;
    this.#onFailed = onFailed;
  }

  /** Settles when everything handed over so far is on disk, or will never be. */
  get written(): Promise<void> {
    return this.#written;
  }

  get failure(): PmlError | undefined {
    return this.#failure;
  }

  write(events: readonly RunEvent[]): void {
    if (this.#batch) {
      this.#batch.push(...events);
      return;
    }
    const batch = [...events];
    this.#batch = batch;
    this.#written = this.#written.then(() => {
      this.#batch = undefined;
      return this.#append(batch);
    });
    this.#written.catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure =
      error instanceof PmlError ? error : new PmlError('JOURNAL_FAILED', messageOf(error));
    this.#onFailed();
  }
}
