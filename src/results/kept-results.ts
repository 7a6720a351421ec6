import { type KeptResult, type Logger, PmlError, type ResultStore } from '../core/index.js';
import { newResultHandle } from './new-ids.js';
import { ResultSaver } from './result-saver.js';

export interface KeptResultLimits {
  /** How long a result can be read. */
  readonly resultTtlMs: number;
  /** What all results may take in the store. */
  readonly storedResultBytes: number;
}

export interface KeptResultsOptions {
  readonly memoryBytes: number;
  /** As they are now. */
  readonly limits: () => KeptResultLimits;
  /** Resolves when the store is attached, or there is none. */
  readonly opened: Promise<void>;
  readonly now: () => number;
  readonly log: Logger;
}

interface Kept extends KeptResult {
  readonly expiresAt: Date;
}

/**
 * A longer one stays in memory only: on PGlite everything else would wait for seconds while it is
 * written.
 */
const MOST_STORED_CHARACTERS = 16_000_000;

/**
 * Long results under handles. Memory has the ones used last, the store all of them until they expire.
 * A handle can be read at once; writing goes on behind it, and without a store memory is all there is.
 */
export class KeptResults {
  readonly #options: KeptResultsOptions;
  /** Those used last at the end. */
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

  /** What is in memory of them. */
  get held(): { readonly results: number; readonly resultCharacters: number } {
    return { results: this.#memory.size, resultCharacters: this.#characters };
  }

  attach(store: ResultStore): void {
    this.#saver.attach(store);
  }

  /** The handle is unguessable: knowing one is being allowed to read it. */
  keep(value: KeptResult): string {
    const handle = newResultHandle();
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

  /** Whether it can be read without asking the store. */
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

  /** Deletes what expired or takes too much, and saves what could not be saved before. */
  async prune(): Promise<void> {
    const now = this.#options.now();
    for (const [handle, { expiresAt }] of this.#memory) {
      if (expiresAt.getTime() <= now) this.#forget(handle);
    }
    await this.#saver.prune();
  }

  /** Resolves when everything kept so far is in the store, or could not be written. */
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
      ? 'nobody was given this handle, or the daemon was killed before it was saved, or it was deleted long ago'
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
