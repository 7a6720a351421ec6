import type { ToolId } from '../../core/index.js';
import { CountRow } from '../hypergraph/count-row.js';

/** Runs that called two tools. */
export interface PairCounts {
  readonly together: number;
  /** Those that called the second tool after the first, and those in which its last call worked. */
  readonly followed: number;
  readonly delivered: number;
}

/** Counts of pairs of tools in rows of numbers: with many tools, objects would take ten times as much. */
export class PairRows {
  readonly #places = new Map<ToolId, number>();
  readonly #rows: Readonly<Record<keyof PairCounts, CountRow[]>> = {
    together: [],
    followed: [],
    delivered: [],
  };

  get(first: ToolId, second: ToolId): PairCounts {
    return {
      // Counted once for both orders.
      together:
        first < second
          ? this.#count('together', first, second)
          : this.#count('together', second, first),
      followed: this.#count('followed', first, second),
      delivered: this.#count('delivered', first, second),
    };
  }

  /** Runs that called both are added with the tool first whose id is first. */
  add(what: keyof PairCounts, first: ToolId, second: ToolId): void {
    const rows = this.#rows[what];
    const row = (rows[this.#placeOf(first)] ??= new CountRow());
    row.add(this.#placeOf(second), 1);
  }

  #count(what: keyof PairCounts, first: ToolId, second: ToolId): number {
    const from = this.#places.get(first);
    const to = this.#places.get(second);
    return from === undefined || to === undefined ? 0 : (this.#rows[what][from]?.get(to) ?? 0);
  }

  #placeOf(tool: ToolId): number {
    const known = this.#places.get(tool);
    if (known !== undefined) return known;
    this.#places.set(tool, this.#places.size);
    return this.#places.size - 1;
  }
}
