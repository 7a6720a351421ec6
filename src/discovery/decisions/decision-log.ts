import {
  type AlgorithmTrace,
  type DecisionOutcome,
  type Logger,
  messageOf,
  type RankingStore,
} from '../../core/index.js';

export interface DecisionLogOptions {
  readonly store: RankingStore | undefined;
  readonly log: Logger;
}

const FLUSH_MS = 1_000;
const MOST_WAITING = 500;
const KEPT = 20_000;
const FLUSHES_BETWEEN_PRUNING = 200;

/** Writes decisions and their outcomes after the requests, in batches. */
export class DecisionLog implements AsyncDisposable {
  readonly #store: RankingStore | undefined;
  readonly #log: Logger;
  #decisions: AlgorithmTrace[] = [];
  #outcomes: [string, DecisionOutcome][] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #flushes = 0;

  constructor({ store, log }: DecisionLogOptions) {
    this.#store = store;
    this.#log = log;
  }

  add(decision: AlgorithmTrace): void {
    if (!this.#store) return;
    this.#decisions.push(decision);
    // Under a flood the oldest give way: a log must not become the load.
    if (this.#decisions.length > MOST_WAITING) this.#decisions.shift();
    this.#soon();
  }

  addOutcome(decision: string, outcome: DecisionOutcome): void {
    if (!this.#store) return;
    this.#outcomes.push([decision, outcome]);
    if (this.#outcomes.length > MOST_WAITING) this.#outcomes.shift();
    this.#soon();
  }

  /** Resolves when nothing waits. One write at a time: while one hangs, only a flood's worth is kept. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  async #writeAll(): Promise<void> {
    while (this.#decisions.length + this.#outcomes.length > 0) {
      const decisions = this.#decisions;
      const outcomes = this.#outcomes;
      this.#decisions = [];
      this.#outcomes = [];
      await this.#write(decisions, outcomes);
    }
  }

  async #write(
    decisions: readonly AlgorithmTrace[],
    outcomes: readonly [string, DecisionOutcome][],
  ): Promise<void> {
    try {
      if (decisions.length > 0) await this.#store?.addTraces(decisions);
      for (const [decision, outcome] of outcomes) await this.#store?.setOutcome(decision, outcome);
      if (++this.#flushes % FLUSHES_BETWEEN_PRUNING === 1) await this.#store?.prune({ keep: KEPT });
    } catch (error) {
      this.#log.warn('decisions not recorded', { error: messageOf(error) });
    }
  }
}
