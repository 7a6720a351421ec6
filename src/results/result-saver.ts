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
  /** What a handle means; nothing if it had to make room. */
  readonly read: (handle: string) => Saveable | undefined;
  /** What all results may take in the store. */
  readonly maxBytes: () => number;
  readonly now: () => number;
  readonly log: Logger;
}

/** Room is made when this part of what is allowed was written anew. */
const PRUNE_SHARE = 0.1;
/** For so long it is known of an expired result that there was one. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;
const MOST_REASONS = 1_000;

/**
 * Writes results behind the answers that name them, one at a time. It holds none of them itself, so
 * that memory has one bound. What could not be written is tried again with the next.
 */
export class ResultSaver {
  readonly #options: SaverOptions;
  #store: ResultStore | undefined;
  readonly #pending = new Set<string>();
  /** Why some are not in the store, the newest. */
  readonly #reasons = new Map<string, string>();
  #bytesSincePrune = 0;
  #writing: Promise<void> | undefined;

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  /** What came before the store was open is written now. */
  attach(store: ResultStore): void {
    this.#store = store;
    this.#write();
  }

  add(handle: string): void {
    this.#pending.add(handle);
    this.#write();
  }

  /** One that will not be in the store. */
  lost(handle: string, why: string): void {
    this.#pending.delete(handle);
    this.#reasons.set(handle, why);
    const [oldest] = this.#reasons.keys();
    if (this.#reasons.size > MOST_REASONS && oldest !== undefined) this.#reasons.delete(oldest);
  }

  whyLost(handle: string): string | undefined {
    return this.#reasons.get(handle);
  }

  /** Nothing where there is no store. */
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
    // Compressing begins with a copy: first of all the answer leaves.
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
