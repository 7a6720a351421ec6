import { createDotKernel, type DotKernel, LANES } from './dot-kernel.js';
import { KernelRows } from './kernel-rows.js';

/** Rows of any length, and their products with a vector. What is compared by cosine is a `VectorIndex`. */
export class DotRows {
  readonly dimension: number;
  readonly #rows: KernelRows<Float32Array>;

  /** All rows are 0 at first. */
  constructor(dimension: number, count: number, createKernel: () => DotKernel = createDotKernel) {
    this.dimension = dimension;
    this.#rows = new KernelRows({ dimension, lanes: LANES, createKernel });
    for (let row = 0; row < count; row++) this.#rows.append();
    this.#rows.numbers.fill(0);
  }

  get bytes(): number {
    return this.#rows.numbers.byteLength;
  }

  set(row: number, values: Float32Array): void {
    this.#rows.numbers.set(values, this.#rows.startOf(row));
  }

  /** The product of each row with the query: a view that the next change or query overwrites. */
  multiply(query: Float32Array): Float32Array {
    const { numbers, width } = this.#rows;
    numbers.fill(0, query.length, width);
    numbers.set(query, 0);
    return this.#rows.multiply();
  }
}
