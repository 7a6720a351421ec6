import { BYTE_LANES, type ByteKernel, createByteKernel } from './byte-kernel.js';
import { lengthOf } from './vector-matrix.js';

const LEAST_CAPACITY = 16;
/** Memory is given back when less than this share of it is in use; growing doubles it. */
const LEAST_USE = 1 / 4;
/** The largest number of a vector becomes this. */
const LARGEST = 127;
const FLOAT_BYTES = 4;

/**
 * As `VectorMatrix`, with a byte for each number. What a row of bytes is to be multiplied with to be of
 * length 1 is kept beside it: so the product of a vector with itself is 1 whatever rounding did to it.
 */
export class PackedMatrix {
  readonly dimension: number;
  readonly #width: number;
  readonly #createKernel: () => ByteKernel;
  #kernel: ByteKernel;
  #scales = new Float32Array(LEAST_CAPACITY);
  #capacity = LEAST_CAPACITY;
  #rows = 0;

  constructor(dimension: number, createKernel: () => ByteKernel = createByteKernel) {
    if (!Number.isSafeInteger(dimension) || dimension < 1) {
      throw new TypeError(`Expected a dimension of at least 1, got ${dimension}`);
    }
    this.dimension = dimension;
    this.#width = Math.ceil(dimension / BYTE_LANES) * BYTE_LANES;
    this.#createKernel = createKernel;
    this.#kernel = this.#kernelFor(this.#capacity);
  }

  get bytes(): number {
    return this.#kernel.bytes.byteLength + this.#scales.byteLength;
  }

  get kernel(): ByteKernel['kind'] {
    return this.#kernel.kind;
  }

  /** Returns the number of the new row. */
  append(vector: Float32Array): number {
    lengthOf(vector, this.dimension);
    if (this.#rows === this.#capacity) this.#grow();
    this.#scales[this.#rows] = this.#write(this.#startOf(this.#rows), vector);
    return this.#rows++;
  }

  replace(row: number, vector: Float32Array): void {
    this.#scales[row] = this.#write(this.#startOf(row), vector);
  }

  /** The last row takes the place of the removed one. */
  remove(row: number): void {
    const last = --this.#rows;
    const start = this.#startOf(last);
    this.#kernel.bytes.copyWithin(this.#startOf(row), start, start + this.#width);
    this.#scales[row] = this.#scales[last]!;
    if (this.#capacity > LEAST_CAPACITY && this.#rows < this.#capacity * LEAST_USE) this.#shrink();
  }

  /** A copy, as it was rounded. */
  read(row: number): Float32Array {
    const start = this.#startOf(row);
    const scale = this.#scales[row]!;
    const bytes = this.#kernel.bytes.subarray(start, start + this.dimension);
    return Float32Array.from(bytes, (byte) => byte * scale);
  }

  /** The product of each row with the query: a view that the next change or query overwrites. */
  multiply(query: Float32Array): Float32Array {
    const out = this.#startOf(this.#capacity);
    const scale = this.#write(0, query);
    this.#kernel.multiply({
      query: 0,
      matrix: this.#startOf(0),
      rows: this.#rows,
      width: this.#width,
      out,
    });
    const products = new Float32Array(this.#kernel.bytes.buffer, out, this.#rows);
    for (let row = 0; row < products.length; row++) products[row]! *= scale * this.#scales[row]!;
    return products;
  }

  /** Gives what makes the bytes a vector of length 1. */
  #write(start: number, vector: Float32Array): number {
    lengthOf(vector, this.dimension);
    const { bytes } = this.#kernel;
    let largest = 0;
    for (const value of vector) largest = Math.max(largest, Math.abs(value));
    let squares = 0;
    for (let at = 0; at < vector.length; at++) {
      const byte = Math.round((vector[at]! / largest) * LARGEST);
      bytes[start + at] = byte;
      squares += byte * byte;
    }
    bytes.fill(0, start + vector.length, start + this.#width);
    return 1 / Math.sqrt(squares);
  }

  #grow(): void {
    const capacity = 2 * this.#capacity;
    this.#kernel.reserve(this.#bytesFor(capacity));
    const scales = new Float32Array(capacity);
    scales.set(this.#scales);
    this.#scales = scales;
    this.#capacity = capacity;
  }

  /** Memory cannot be made smaller, so what is left moves to a new one. */
  #shrink(): void {
    const capacity = this.#capacity / 2;
    const kernel = this.#kernelFor(capacity);
    kernel.bytes.set(this.#kernel.bytes.subarray(0, this.#startOf(this.#rows)));
    this.#kernel = kernel;
    this.#scales = this.#scales.slice(0, capacity);
    this.#capacity = capacity;
  }

  #kernelFor(capacity: number): ByteKernel {
    const kernel = this.#createKernel();
    kernel.reserve(this.#bytesFor(capacity));
    return kernel;
  }

  #bytesFor(capacity: number): number {
    return this.#startOf(capacity) + capacity * FLOAT_BYTES;
  }

  #startOf(row: number): number {
    return this.#width * (1 + row);
  }
}
