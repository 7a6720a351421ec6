import { BYTE_LANES, type ByteKernel, createByteKernel } from './byte-kernel.js';
import { KernelRows, lengthOf } from './kernel-rows.js';

/** The largest number of a vector becomes this. */
const LARGEST = 127;

/**
 * As `VectorMatrix`, with a byte for each number. What a row of bytes is to be multiplied with to be of
 * length 1 is kept beside it: so the product of a vector with itself is 1 whatever rounding did to it.
 */
export class PackedMatrix {
  readonly #rows: KernelRows<Int8Array>;
  /** One for each row there is room for. */
  #scales: Float32Array;

  constructor(dimension: number, createKernel: () => ByteKernel = createByteKernel) {
    this.#rows = new KernelRows({ dimension, lanes: BYTE_LANES, createKernel });
    this.#scales = new Float32Array(this.#rows.capacity);
  }

  get dimension(): number {
    return this.#rows.dimension;
  }

  get bytes(): number {
    return this.#rows.numbers.byteLength + this.#scales.byteLength;
  }

  get kernel(): ByteKernel['kind'] {
    return this.#rows.kind;
  }

  /** Returns the number of the new row. */
  append(vector: Float32Array): number {
    lengthOf(vector, this.dimension);
    const row = this.#rows.append();
    this.#fitScales();
    this.#scales[row] = this.#write(this.#rows.startOf(row), vector);
    return row;
  }

  replace(row: number, vector: Float32Array): void {
    this.#scales[row] = this.#write(this.#rows.startOf(row), vector);
  }

  /** The last row takes the place of the removed one. */
  remove(row: number): void {
    const last = this.#rows.remove(row);
    this.#scales[row] = this.#scales[last]!;
    this.#fitScales();
  }

  /** A copy, as it was rounded. */
  read(row: number): Float32Array {
    const start = this.#rows.startOf(row);
    const scale = this.#scales[row]!;
    const bytes = this.#rows.numbers.subarray(start, start + this.dimension);
    return Float32Array.from(bytes, (byte) => byte * scale);
  }

  /** The product of each row with the query: a view that the next change or query overwrites. */
  multiply(query: Float32Array): Float32Array {
    const scale = this.#write(0, query);
    const products = this.#rows.multiply();
    for (let row = 0; row < products.length; row++) products[row]! *= scale * this.#scales[row]!;
    return products;
  }

  /** Gives what makes the bytes a vector of length 1. */
  #write(start: number, vector: Float32Array): number {
    lengthOf(vector, this.dimension);
    const { numbers: bytes, width } = this.#rows;
    let largest = 0;
    for (const value of vector) largest = Math.max(largest, Math.abs(value));
    let squares = 0;
    for (let at = 0; at < vector.length; at++) {
      const byte = Math.round((vector[at]! / largest) * LARGEST);
      bytes[start + at] = byte;
      squares += byte * byte;
    }
    bytes.fill(0, start + vector.length, start + width);
    return 1 / Math.sqrt(squares);
  }

  #fitScales(): void {
    const { capacity } = this.#rows;
    if (capacity === this.#scales.length) return;
    const scales = new Float32Array(capacity);
    scales.set(this.#scales.subarray(0, capacity));
    this.#scales = scales;
  }
}
