import {
  type KeptResult,
  type Logger,
  PmlError,
  type Principal,
  type ResultStore,
} from '../core/index.js';
import { isOwnHandle, newResultHandle } from './new-ids.js';
import { ResultSaver } from './result-saver.js';

export interface KeptResultLimits {
  /** How long a result can be read. */
  readonly resultTtlMs: number;
  /** The most bytes of all results in the store. */
  readonly storedResultBytes: number;
}

export interface KeptResultsOptions {
  readonly memoryBytes: number;
  /** The current limits. */
  readonly limits: () => KeptResultLimits;
  /** Resolves when the store is attached, or when there is none. */
  readonly opened: Promise<void>;
  readonly now: () => number;
  readonly log: Logger;
}

/** What clients do with kept results. */
export interface ResultShelf {
  keep(value: KeptResult): string;
  lasts(value: Pick<KeptResult, 'text'>): boolean;
  isInMemory(handle: string): boolean;
  get(handle: string): Promise<KeptResult>;
}

interface Kept extends KeptResult {
  readonly expiresAt: Date;
}

/**
 * A longer result stays in memory only: PGlite would block everything else for seconds while it
 * writes.
 */
const MOST_STORED_CHARACTERS = 16_000_000;

/**
 * Long results under handles. Memory holds the last used ones, the store all until they expire. A
 * handle can be read at once, even before it is written. Without a store there is only memory.
 */
export class KeptResults {
  readonly #options: KeptResultsOptions;
  /** Last used at the end. */
  readonly #memory = new Map<string, Kept>();
  readonly #saver: ResultSaver;
  #characters = 0;

  constructor(options: KeptResultsOptions) {
    this.#options = options;
    const { limits, now, log } = options;
    this.#saver = new ResultSaver({
      read: (handle) => this.#memory.get(handle),
      maxBytes: () => limits().storedResultBytes,
      now,
      log,
    });
  }

  /** How many results memory holds, and their size. */
  get held(): { readonly results: number; readonly resultCharacters: number } {
    return { results: this.#memory.size, resultCharacters: this.#characters };
  }

  attach(store: ResultStore): void {
    this.#saver.attach(store);
  }

  /** The results as this client sees them: those of named clients are their own alone. */
  of(principal: Principal): ResultShelf {
    return {
      keep: (value) => this.keep(value, principal),
      lasts: (value) => this.lasts(value),
      isInMemory: (handle) => isOwnHandle(handle, principal) && this.isInMemory(handle),
      get: async (handle) => {
        if (!isOwnHandle(handle, principal)) throw gone(handle, 'no such result is yours');
        return this.get(handle);
      },
    };
  }

  /** The handle is unguessable: a client that knows it may read the result. */
  keep(value: KeptResult, owner?: Principal): string {
    const handle = newResultHandle(owner);
    const { limits, now } = this.#options;
    this.#remember(handle, { ...value, expiresAt: new Date(now() + limits().resultTtlMs) });
    if (this.lasts(value)) this.#saver.add(handle);
    else this.#saver.lost(handle, `it is longer than ${MOST_STORED_CHARACTERS} characters`);
    return handle;
  }

  /** Whether a result of this length survives the daemon. */
  lasts({ text }: Pick<KeptResult, 'text'>): boolean {
    return text.length <= MOST_STORED_CHARACTERS;
  }

  /** Whether it can be read without the store. */
  isInMemory(handle: string): boolean {
    const kept = this.#memory.get(handle);
    return kept !== undefined && kept.expiresAt.getTime() > this.#options.now();
  }

  async get(handle: string): Promise<KeptResult> {
    const known = this.#memory.get(handle);
    if (known) return this.#use(handle, known);
    await this.#options.opened;
    const found = await this.#saver.load(handle);
    switch (found?.status) {
      case 'kept': {
        const { text, mimeType, expiresAt } = found;
        this.#remember(handle, { text, mimeType, expiresAt });
        return { text, mimeType };
      }
      case 'expired':
        throw expired(handle, found.expiresAt);
      case 'dropped':
        throw gone(handle, 'it was deleted to make room (limits.storedResultBytes)');
      default:
        throw gone(handle, this.#whyMissing(handle, found !== undefined));
    }
  }

  /** Deletes expired and excess results, and retries failed saves. */
  async prune(): Promise<void> {
    const now = this.#options.now();
    for (const [handle, { expiresAt }] of this.#memory) {
      if (expiresAt.getTime() <= now) this.#forget(handle);
    }
    await this.#saver.prune();
  }

  /** Resolves when every result kept so far is in the store or has failed to be written. */
  async settled(): Promise<void> {
    await this.#saver.settled();
  }

  #use(handle: string, kept: Kept): KeptResult {
    const { text, mimeType, expiresAt } = kept;
    if (!this.isInMemory(handle)) throw expired(handle, expiresAt);
    this.#remember(handle, kept);
    return { text, mimeType };
  }

  #remember(handle: string, kept: Kept): void {
    this.#forget(handle);
    this.#memory.set(handle, kept);
    this.#characters += kept.text.length;
    for (const oldest of this.#memory.keys()) {
      if (this.#characters <= this.#options.memoryBytes || oldest === handle) break;
      this.#forget(oldest);
    }
  }

  #forget(handle: string): void {
    const kept = this.#memory.get(handle);
    if (!kept) return;
    this.#memory.delete(handle);
    this.#characters -= kept.text.length;
  }

  #whyMissing(handle: string, hasStore: boolean): string {
    const lost = this.#saver.whyLost(handle);
    if (lost) return `${lost}, and it had to make room in memory (limits.keptResultBytes)`;
    return hasStore
      ? 'PML never gave out this handle, or the daemon was killed before it was saved, or it was deleted long ago'
      : 'it is not in memory, and there is no store (`pml doctor` says why)';
  }
}

function expired(handle: string, at: Date): PmlError {
  return gone(handle, `it expired at ${at.toISOString()} (limits.resultTtlMs)`, {
    expiredAt: at.toISOString(),
  });
}

function gone(handle: string, why: string, details: { readonly expiredAt?: string } = {}) {
  return new PmlError('RESULT_NOT_FOUND', `No result ${handle}: ${why}. Run the call again.`, {
    details: { handle, ...details },
  });
}
