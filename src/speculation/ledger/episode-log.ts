import {
  type Episode,
  type EpisodeStore,
  type Logger,
  messageOf,
  type StoredThreshold,
} from '../../core/index.js';

const FLUSH_MS = 1_000;
const MOST_WAITING = 500;
const FLUSHES_BETWEEN_PRUNING = 100;
/** Episodes that the store keeps. */
const KEPT_EPISODES = 5_000;

interface EpisodeLogOptions {
  readonly log: Logger;
}

/** Writes episodes and thresholds behind the requests, in batches. Before there is a store, they wait. */
export class EpisodeLog implements AsyncDisposable {
  readonly #log: Logger;
  #store: EpisodeStore | undefined;
  #episodes: Episode[] = [];
  #thresholds = new Map<string, StoredThreshold>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #flushes = 0;

  constructor({ log }: EpisodeLogOptions) {
    this.#log = log;
  }

  attach(store: EpisodeStore): void {
    this.#store = store;
    if (this.#isWaiting) this.#soon();
  }

  add(episode: Episode): void {
    this.#episodes.push(episode);
    // Under a flood the oldest give way: a log must not become the load.
    if (this.#episodes.length > MOST_WAITING) this.#episodes.shift();
    this.#soon();
  }

  addThreshold(threshold: StoredThreshold): void {
    this.#thresholds.set(`${threshold.rung} ${threshold.kind}`, threshold);
    this.#soon();
  }

  /** Resolves when nothing waits. One write at a time: while one hangs, only a flood's worth is kept. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    await this.#writing;
  }

  /** What waits is not written, and what is stored goes. Says how many were stored. */
  async forget(what: { readonly episodes: boolean; readonly thresholds: boolean }) {
    if (what.episodes) this.#episodes = [];
    if (what.thresholds) this.#thresholds.clear();
    await this.flush();
    return {
      episodes: what.episodes ? ((await this.#store?.forget()) ?? 0) : 0,
      thresholds: what.thresholds ? ((await this.#store?.forgetThresholds()) ?? 0) : 0,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
  }

  get #isWaiting(): boolean {
    return this.#episodes.length + this.#thresholds.size > 0;
  }

  #soon(): void {
    if (this.#store) this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  async #writeAll(): Promise<void> {
    const store = this.#store;
    while (store && this.#isWaiting) {
      const episodes = this.#episodes;
      const thresholds = [...this.#thresholds.values()];
      this.#episodes = [];
      this.#thresholds = new Map();
      await this.#write(store, episodes, thresholds);
    }
  }

  async #write(
    store: EpisodeStore,
    episodes: readonly Episode[],
    thresholds: readonly StoredThreshold[],
  ): Promise<void> {
    try {
      if (episodes.length > 0) await store.add(episodes);
      if (thresholds.length > 0) await store.saveThresholds(thresholds);
      if (++this.#flushes % FLUSHES_BETWEEN_PRUNING === 1)
        await store.prune({ keep: KEPT_EPISODES });
    } catch (error) {
      this.#log.warn('episodes not recorded', { error: messageOf(error) });
    }
  }
}
