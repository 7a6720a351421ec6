import {
  type FoundResult,
  type KeptResult,
  type Logger,
  messageOf,
  type ResultStore,
} from '../core/index.js';

interface Saveable extends KeptResult {
  readonly expiresAt: Date;
}

interface SaverOptions {
  /** The result of a handle; undefined if it was evicted. */
  readonly read: (handle: string) => Saveable | undefined;
  /** The most bytes of all results in the store. */
  readonly maxBytes: () => number;
  readonly now: () => number;
  readonly log: Logger;
}

/** Prunes the store when this share of the limit has been written since the last time. */
const PRUNE_SHARE = 0.1;
/** How long the store remembers that an expired result existed. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;
const MOST_REASONS = 1_000;

/**
 * Writes results after the responses that name them, one at a time. It holds no results itself, so
 * memory has one limit. A failed write is retried with the next one.
 */
export class ResultSaver {
  readonly #options: SaverOptions;
  #store: ResultStore | undefined;
  readonly #pending = new Set<string>();
  /** Why results are not in the store, for the newest ones. */
  readonly #reasons = new Map<string, string>();
  #bytesSincePrune = 0;
  #writing: Promise<void> | undefined;

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  /** Writes the results that came before the store was open. */
  attach(store: ResultStore): void {
    this.#store = store;
    this.#write();
  }

  add(handle: string): void {
    this.#pending.add(handle);
    this.#write();
  }

  /** Records that a result will not be in the store. */
  lost(handle: string, why: string): void {
    this.#pending.delete(handle);
    this.#reasons.set(handle, why);
    const [oldest] = this.#reasons.keys();
    if (this.#reasons.size > MOST_REASONS && oldest !== undefined) this.#reasons.delete(oldest);
  }

  whyLost(handle: string): string | undefined {
    return this.#reasons.get(handle);
  }

  /** Undefined without a store. */
  async load(handle: string): Promise<FoundResult | undefined> {
    return this.#store?.load(handle, new Date(this.#options.now()));
  }

  async prune(): Promise<void> {
    this.#bytesSincePrune = 0;
    const now = this.#options.now();
    await this.#store?.prune({
      now: new Date(now),
      maxBytes: this.#options.maxBytes(),
      forgetBefore: new Date(now - REMEMBERED_MS),
    });
    this.#write();
  }

  async settled(): Promise<void> {
    this.#write();
    while (this.#writing) await this.#writing;
  }

  #write(): void {
    const store = this.#store;
    if (!store || this.#pending.size === 0) return;
    this.#writing ??= this.#writeAll(store).finally(() => (this.#writing = undefined));
  }

  async #writeAll(store: ResultStore): Promise<void> {
    // Compression begins with a copy: let the response leave first.
    await new Promise((resolve) => setImmediate(resolve));
    for (const handle of this.#pending) {
      if (!(await this.#save(store, handle))) return;
      if (this.#bytesSincePrune > this.#options.maxBytes() * PRUNE_SHARE) await this.#makeRoom();
    }
  }

  async #save(store: ResultStore, handle: string): Promise<boolean> {
    this.#pending.delete(handle);
    const kept = this.#options.read(handle);
    if (!kept) {
      this.#notSaved(handle, this.#reasons.get(handle) ?? 'it could not be saved in time');
      return true;
    }
    try {
      const createdAt = new Date(this.#options.now());
      this.#bytesSincePrune += await store.save({ handle, ...kept, createdAt });
      this.#reasons.delete(handle);
      return true;
    } catch (error) {
      this.#notSaved(handle, `it could not be saved (${messageOf(error)})`);
      this.#pending.add(handle);
      return false;
    }
  }

  #notSaved(handle: string, why: string): void {
    this.lost(handle, why);
    this.#options.log.warn('result not saved', { handle, why });
  }

  async #makeRoom(): Promise<void> {
    try {
      await this.prune();
    } catch (error) {
      this.#options.log.warn('old results not deleted', { error: messageOf(error) });
    }
  }
}
