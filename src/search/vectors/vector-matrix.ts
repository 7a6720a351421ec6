import { createDotKernel, type DotKernel, LANES } from './dot-kernel.js';
import { KernelRows, lengthOf } from './kernel-rows.js';

/** How far from 1 a length may be before the vector is scaled. */
const LENGTH_TOLERANCE = 1e-3;

/** Unit vectors as rows. What pads a row counts for nothing because the query is zero there. */
export class VectorMatrix {
  readonly #rows: KernelRows<Float32Array>;

  constructor(dimension: number, createKernel: () => DotKernel = createDotKernel) {
    this.#rows = new KernelRows({ dimension, lanes: LANES, createKernel });
  }

  get dimension(): number {
    return this.#rows.dimension;
  }

  get bytes(): number {
    return this.#rows.numbers.byteLength;
  }

  get kernel(): DotKernel['kind'] {
    return this.#rows.kind;
  }

  /** Returns the number of the new row. */
  append(vector: Float32Array): number {
    const scale = this.#scaleOf(vector);
    const row = this.#rows.append();
    this.#write(this.#rows.startOf(row), vector, scale);
    return row;
  }

  replace(row: number, vector: Float32Array): void {
    this.#write(this.#rows.startOf(row), vector, this.#scaleOf(vector));
  }

  /** The last row takes the place of the removed one. */
  remove(row: number): void {
    this.#rows.remove(row);
  }

  /** A copy. */
  read(row: number): Float32Array {
    const start = this.#rows.startOf(row);
    return this.#rows.numbers.slice(start, start + this.dimension);
  }

  /** The product of each row with the query: a view that the next change or query overwrites. */
  multiply(query: Float32Array): Float32Array {
    this.#write(0, query, this.#scaleOf(query));
    return this.#rows.multiply();
  }

  /** What makes the vector one of length 1. */
  #scaleOf(vector: Float32Array): number {
    const length = lengthOf(vector, this.dimension);
    return Math.abs(length - 1) > LENGTH_TOLERANCE ? 1 / length : 1;
  }

  #write(start: number, vector: Float32Array, scale: number): void {
    const { numbers } = this.#rows;
    if (scale === 1) numbers.set(vector, start);
    else vector.forEach((value, i) => (numbers[start + i] = value * scale));
  }
}
