import type { Logger, ToolId } from '../../core/index.js';

/** Newest calls that are remembered one by one. */
const MOST_RECENT = 100;

/** The outcome of a call that PML made by itself. */
export type AheadFate =
  /** Answered the client's own call. */
  | 'served'
  /** The client called something else, left, or came too late. */
  | 'unused'
  /** Something happened on its server that may have made the result wrong. */
  | 'stale'
  /** It failed, or its server asked something. */
  | 'failed';

export interface AheadRecord {
  readonly id: string;
  readonly at: Date;
  readonly tool: ToolId;
  readonly session: string;
  /** Missing as long as it is under way or kept. */
  readonly fate?: AheadFate;
  readonly ms?: number;
}

/** What PML called by itself, as `pml status` shows it. */
export interface AheadActivity {
  readonly sent: number;
  readonly served: number;
  readonly unused: number;
  readonly stale: number;
  readonly failed: number;
  /** Time that clients did not wait. */
  readonly savedMs: number;
  readonly byServer: Readonly<Record<string, number>>;
  /** Newest last. */
  readonly recent: readonly AheadRecord[];
}

/**
 * Remembers and logs every call that PML makes by itself. The log line comes before the call leaves,
 * so that a daemon that is killed has written down what it did.
 */
export class AheadJournal {
  readonly #log: Logger;
  readonly #recent = new Map<string, AheadRecord>();
  readonly #fates: Record<AheadFate, number> = { served: 0, unused: 0, stale: 0, failed: 0 };
  readonly #byServer: Record<string, number> = {};
  #sent = 0;
  #savedMs = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  sent(record: AheadRecord, server: string): void {
    this.#log.info('called ahead', {
      id: record.id,
      tool: record.tool,
      session: record.session,
    });
    this.#sent++;
    this.#byServer[server] = (this.#byServer[server] ?? 0) + 1;
    this.#recent.set(record.id, record);
    if (this.#recent.size > MOST_RECENT) {
      const [oldest = ''] = this.#recent.keys();
      this.#recent.delete(oldest);
    }
  }

  ended(
    id: string,
    {
      fate,
      ms,
      savedMs,
    }: { readonly fate: AheadFate; readonly ms: number; readonly savedMs: number },
  ): void {
    this.#fates[fate]++;
    this.#savedMs += savedMs;
    const known = this.#recent.get(id);
    if (known) this.#recent.set(id, { ...known, fate, ms: Math.round(ms) });
    this.#log.info('call ahead ended', { id, fate, ms: Math.round(ms) });
  }

  get activity(): AheadActivity {
    return {
      sent: this.#sent,
      ...this.#fates,
      savedMs: Math.round(this.#savedMs),
      byServer: { ...this.#byServer },
      recent: [...this.#recent.values()],
    };
  }
}
