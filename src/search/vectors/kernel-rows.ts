import { floatsIn, type Kernel, type KernelNumbers } from './kernel.js';

const LEAST_CAPACITY = 16;
/** Memory is given back when less than this share of it is in use; growing doubles it. */
const LEAST_USE = 1 / 4;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

export interface KernelRowsOptions<Numbers extends KernelNumbers> {
  readonly dimension: number;
  /** Rows are as wide as a multiple of this. */
  readonly lanes: number;
  readonly createKernel: () => Kernel<Numbers>;
}

/**
 * Rows of numbers in the memory of a kernel, which holds the query, then the rows, then the products of
 * the last query. Rows are numbered from 0 without gaps. What pads a row to full width may be an old
 * product.
 */
export class KernelRows<Numbers extends KernelNumbers> {
  readonly dimension: number;
  readonly width: number;
  readonly #createKernel: () => Kernel<Numbers>;
  #kernel: Kernel<Numbers>;
  #capacity = LEAST_CAPACITY;
  #count = 0;

  constructor({ dimension, lanes, createKernel }: KernelRowsOptions<Numbers>) {
    if (!Number.isSafeInteger(dimension) || dimension < 1) {
      throw new TypeError(`Expected a dimension of at least 1, got ${dimension}`);
    }
    this.dimension = dimension;
    this.width = Math.ceil(dimension / lanes) * lanes;
    this.#createKernel = createKernel;
    this.#kernel = this.#kernelFor(this.#capacity);
  }

  get numbers(): Numbers {
    return this.#kernel.numbers;
  }

  get kind(): Kernel<Numbers>['kind'] {
    return this.#kernel.kind;
  }

  /** Rows there is room for. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Where a row begins. The query begins at 0. */
  startOf(row: number): number {
    return this.width * (1 + row);
  }

  /** Makes room for one more row and returns its number. */
  append(): number {
    if (this.#count === this.#capacity) {
      this.#kernel.reserve(this.#numbersFor(2 * this.#capacity));
      this.#capacity *= 2;
    }
    return this.#count++;
  }

  /** The last row takes the place of the removed one. Returns its number. */
  remove(row: number): number {
    const last = --this.#count;
    const start = this.startOf(last);
    this.#kernel.numbers.copyWithin(this.startOf(row), start, start + this.width);
    if (this.#capacity > LEAST_CAPACITY && this.#count < this.#capacity * LEAST_USE) this.#shrink();
    return last;
  }

  /** The product of each row with the query: a view that the next change or query overwrites. */
  multiply(): Float32Array {
    const out = this.startOf(this.#capacity);
    this.#kernel.multiply({
      query: 0,
      matrix: this.startOf(0),
      rows: this.#count,
      width: this.width,
      out,
    });
    return floatsIn(this.#kernel.numbers, out, this.#count);
  }

  /** Memory cannot be made smaller, so what is left moves to a new one. */
  #shrink(): void {
    const capacity = this.#capacity / 2;
    const kernel = this.#kernelFor(capacity);
    kernel.numbers.set(this.#kernel.numbers.subarray(0, this.startOf(this.#count)));
    this.#kernel = kernel;
    this.#capacity = capacity;
  }

  #kernelFor(capacity: number): Kernel<Numbers> {
    const kernel = this.#createKernel();
    kernel.reserve(this.#numbersFor(capacity, kernel));
    return kernel;
  }

  #numbersFor(capacity: number, { numbers } = this.#kernel): number {
    return this.startOf(capacity) + (capacity * FLOAT_BYTES) / numbers.BYTES_PER_ELEMENT;
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
