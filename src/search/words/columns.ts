import { FIELDS } from './fields.js';
import type { FieldCounts, IndexedTool, Postings } from './postings.js';

/** Everything a search needs to know of one term, side by side for each tool that holds it. */
export interface Column {
  readonly slots: Int32Array;
  /** How much the tool is about the term, in [0, 1). */
  readonly strengths: Float64Array;
  /** How often the term stands in the tool's name. */
  readonly inName: Float64Array;
}

/** How fast further occurrences of a word stop counting (the `k1` of BM25). */
const SATURATION = 1.2;
const NAME = FIELDS.findIndex(({ name }) => name === 'name');

/**
 * The BM25F strength of terms: occurrences are weighted by field and diluted by the field's length
 * before they are saturated. Computed when first asked for and kept until the index changes, because
 * every strength depends on the average lengths.
 */
export class Columns {
  readonly #postings: Postings;
  readonly #columns = new Map<string, Column>();
  #averages: readonly number[] | undefined;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  forget(): void {
    this.#columns.clear();
    this.#averages = undefined;
  }

  of(term: string): Column {
    const column = this.#columns.get(term) ?? this.#compute(term);
    this.#columns.set(term, column);
    return column;
  }

  /** What each of `FIELDS` adds to the strength of a term, before saturation. */
  shares(indexed: IndexedTool, counts: FieldCounts): number[] {
    return counts.map((count, field) => this.#share(indexed, count, field));
  }

  #share({ lengths }: IndexedTool, count: number, field: number): number {
    if (count === 0) return 0;
    this.#averages ??= this.#postings.averageLengths();
    const { weight, lengthPenalty } = FIELDS[field]!;
    const relativeLength = lengths[field]! / this.#averages[field]!;
    return (weight * count) / (1 - lengthPenalty + lengthPenalty * relativeLength);
  }

  /** A common word stands in most tools, so nothing is allocated for each of them. */
  #compute(term: string): Column {
    const holders = this.#postings.holding(term) ?? new Map<IndexedTool, FieldCounts>();
    const slots = new Int32Array(holders.size);
    const strengths = new Float64Array(holders.size);
    const inName = new Float64Array(holders.size);
    let row = 0;
    for (const [indexed, counts] of holders) {
      slots[row] = indexed.slot;
      strengths[row] = this.#strength(indexed, counts);
      inName[row] = counts[NAME]!;
      row++;
    }
    return { slots, strengths, inName };
  }

  #strength(indexed: IndexedTool, counts: FieldCounts): number {
    let sum = 0;
    for (let field = 0; field < counts.length; field++) {
      sum += this.#share(indexed, counts[field]!, field);
    }
    return sum / (SATURATION + sum);
  }
}

/** Terms in the tool's name. */
export function nameLength({ lengths }: IndexedTool): number {
  return lengths[NAME] ?? 0;
}
