import { createDotKernel, type DotKernel, LANES } from './dot-kernel.js';

/** How far from 1 a length may be before the vector is scaled. */
const LENGTH_TOLERANCE = 1e-3;
const LEAST_CAPACITY = 16;
/** Memory is given back when less than this share of it is in use; growing doubles it. */
const LEAST_USE = 1 / 4;

/**
 * Unit vectors as rows in the memory of a kernel, which holds the query, then the rows, then the
 * products of the last query. Rows are numbered from 0 without gaps. What pads a row to full width
 * may be an old product, and counts for nothing because the query is zero there.
 */
export class VectorMatrix {
  readonly dimension: number;
  readonly #width: number;
  readonly #createKernel: () => DotKernel;
  #kernel: DotKernel;
  #capacity = LEAST_CAPACITY;
  #rows = 0;

  constructor(dimension: number, createKernel: () => DotKernel = createDotKernel) {
    if (!Number.isSafeInteger(dimension) || dimension < 1) {
      throw new TypeError(`Expected a dimension of at least 1, got ${dimension}`);
    }
    this.dimension = dimension;
    this.#width = Math.ceil(dimension / LANES) * LANES;
    this.#createKernel = createKernel;
    this.#kernel = this.#kernelFor(this.#capacity);
  }

  get bytes(): number {
    return this.#kernel.floats.byteLength;
  }

  get kernel(): DotKernel['kind'] {
    return this.#kernel.kind;
  }

  /** Returns the number of the new row. */
  append(vector: Float32Array): number {
    const scale = this.#scaleOf(vector);
    if (this.#rows === this.#capacity) {
      this.#kernel.reserve(this.#floatsFor(2 * this.#capacity));
      this.#capacity *= 2;
    }
    this.#write(this.#startOf(this.#rows), vector, scale);
    return this.#rows++;
  }

  replace(row: number, vector: Float32Array): void {
    this.#write(this.#startOf(row), vector, this.#scaleOf(vector));
  }

  /** The last row takes the place of the removed one. */
  remove(row: number): void {
    const last = this.#startOf(--this.#rows);
    this.#kernel.floats.copyWithin(this.#startOf(row), last, last + this.#width);
    if (this.#capacity > LEAST_CAPACITY && this.#rows < this.#capacity * LEAST_USE) this.#shrink();
  }

  /** A copy. */
  read(row: number): Float32Array {
    const start = this.#startOf(row);
    return this.#kernel.floats.slice(start, start + this.dimension);
  }

  /** The product of each row with the query: a view that the next change or query overwrites. */
  multiply(query: Float32Array): Float32Array {
    const out = this.#startOf(this.#capacity);
    this.#write(0, query, this.#scaleOf(query));
    this.#kernel.multiply({
      query: 0,
      matrix: this.#startOf(0),
      rows: this.#rows,
      width: this.#width,
      out,
    });
    return this.#kernel.floats.subarray(out, out + this.#rows);
  }

  /** What makes the vector one of length 1. */
  #scaleOf(vector: Float32Array): number {
    const length = lengthOf(vector, this.dimension);
    return Math.abs(length - 1) > LENGTH_TOLERANCE ? 1 / length : 1;
  }

  #write(start: number, vector: Float32Array, scale: number): void {
    const { floats } = this.#kernel;
    if (scale === 1) floats.set(vector, start);
    else vector.forEach((value, i) => (floats[start + i] = value * scale));
  }

  /** Memory cannot be made smaller, so what is left moves to a new one. */
  #shrink(): void {
    const capacity = this.#capacity / 2;
    const kernel = this.#kernelFor(capacity);
    kernel.floats.set(this.#kernel.floats.subarray(0, this.#startOf(this.#rows)));
    this.#kernel = kernel;
    this.#capacity = capacity;
  }

  #kernelFor(capacity: number): DotKernel {
    const kernel = this.#createKernel();
    kernel.reserve(this.#floatsFor(capacity));
    return kernel;
  }

  #floatsFor(capacity: number): number {
    return this.#startOf(capacity) + capacity;
  }

  #startOf(row: number): number {
    return this.#width * (1 + row);
  }
}

/** Of a vector of this dimension with a direction; any other is a `TypeError`. */
export function lengthOf(vector: Float32Array, dimension: number): number {
  if (vector.length !== dimension) {
    throw new TypeError(
      `Expected a vector of dimension ${dimension}, got one of dimension ${vector.length}`,
    );
  }
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (length > 0 && length < Infinity) return length;
  throw new TypeError(`Expected a vector with a direction, got one of length ${length}`);
}
