import type { Discovery } from '../discovery/index.js';

type Searchable = Parameters<Discovery['sync']>[0];

/** A search does not wait for an index of tools that change all the time. */
const MOST_PASSES = 3;

/** Keeps the search index in step with the tools that clients may see. */
export class ToolIndexing {
  readonly #discovery: Discovery;
  readonly #searchable: () => Searchable;
  #isStale = true;
  /** Indexes the current tools, in slices. */
  #preparing: Promise<void> | undefined;

  constructor(discovery: Discovery, searchable: () => Searchable) {
    this.#discovery = discovery;
    this.#searchable = searchable;
  }

  /** With an index of exactly the current tools: those that are not prepared are indexed at once. */
  get discovery(): Discovery {
    if (this.#isStale) {
      this.#isStale = false;
      this.#discovery.sync(this.#searchable());
    }
    return this.#discovery;
  }

  /** The tools are not those that were indexed. */
  changed(): void {
    this.#isStale = true;
    this.#preparing = undefined;
  }

  /** Resolves when the current tools are indexed: thousands of them take a while. */
  async prepared(): Promise<void> {
    for (let pass = 0; this.#isStale && pass < MOST_PASSES; pass++) {
      const own = (this.#preparing ??= this.#prepare());
      await own;
      // Otherwise the tools changed meanwhile.
      if (own === this.#preparing) return;
    }
  }

  async #prepare(): Promise<void> {
    try {
      await this.#discovery.words.prepare(this.#searchable().tools);
    } catch {
      // The next search indexes the same tools, and reports what is wrong to its client.
    }
  }
}
