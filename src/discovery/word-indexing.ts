import { type CatalogTool, pause, type ToolId } from '../core/index.js';
import type { ToolIndex } from '../search/index.js';

type Tools = ReadonlyMap<ToolId, CatalogTool>;

/** Keeps the word index in step with the tools there are. */
export class WordIndexing {
  readonly #index: ToolIndex;
  /** Tools that the index has and `sync` has not seen. */
  readonly #ahead = new Set<ToolId>();
  /** Counts changes of what is wanted: a preparation for an older list ends. */
  #wanted = 0;

  constructor(index: ToolIndex) {
    this.#index = index;
  }

  /** Indexes what is new in slices, so that `sync` does not hold the loop with thousands of tools. */
  async prepare(tools: Tools): Promise<void> {
    const own = ++this.#wanted;
    for (const tool of tools.values()) {
      if (this.#isIndexed(tool)) continue;
      if (!this.#index.get(tool.id)) this.#ahead.add(tool.id);
      this.#index.upsert(tool);
      await pause();
      if (own !== this.#wanted) return;
    }
  }

  /** Makes the index hold exactly these tools. Returns those that changed. */
  sync(before: Tools, tools: Tools): readonly CatalogTool[] {
    this.#wanted += 1;
    for (const known of [before.keys(), this.#ahead]) {
      for (const id of known) if (!tools.has(id)) this.#index.remove(id);
    }
    this.#ahead.clear();
    for (const tool of tools.values()) if (!this.#isIndexed(tool)) this.#index.upsert(tool);
    return [...tools.values()].filter(({ id, hash }) => before.get(id)?.hash !== hash);
  }

  #isIndexed({ id, hash }: CatalogTool): boolean {
    return this.#index.get(id)?.hash === hash;
  }
}
