import type { ByteKernel } from './byte-kernel.js';
import type { DotKernel } from './dot-kernel.js';
import { PackedMatrix } from './packed-matrix.js';
import { selectRows } from './select-rows.js';
import { VectorMatrix } from './vector-matrix.js';

/** Valid until the index is asked or changed again. */
export interface Similarities<Key extends string> {
  /** The cosine of each row with the query; may pass 1 by what a length may differ from 1. */
  readonly scores: Float32Array;
  readonly rowOf: (key: Key) => number | undefined;
  readonly keyOf: (row: number) => Key | undefined;
  /** Rows of the best, best first; equal ones by key. */
  readonly best: (limit: number, accepts?: (row: number) => boolean) => readonly number[];
}

export interface Neighbour<Key extends string> {
  readonly key: Key;
  readonly similarity: number;
}

/**
 * Compares vectors exactly, all of them in memory. Vectors are of length 1 by contract and scaled to
 * it when they are not; one without a direction or of another dimension is a `TypeError`.
 */
export interface VectorIndex<Key extends string> {
  readonly size: number;
  readonly dimension: number;
  /** Memory held, used or not. */
  readonly bytes: number;
  readonly kernel: DotKernel['kind'];
  /** Copies the vector, in place of the one the key had. */
  set(key: Key, vector: Float32Array): void;
  /** Whether it was there. */
  delete(key: Key): boolean;
  has(key: Key): boolean;
  /** A copy. */
  get(key: Key): Float32Array | undefined;
  keys(): IterableIterator<Key>;
  similarities(query: Float32Array): Similarities<Key>;
  /** Best first; equal ones by key. */
  nearest(
    query: Float32Array,
    limit: number,
    filter?: (key: Key) => boolean,
  ): readonly Neighbour<Key>[];
}

export function createVectorIndex<Key extends string>(
  dimension: number,
  createKernel?: () => DotKernel,
): VectorIndex<Key> {
  return indexOver(new VectorMatrix(dimension, createKernel));
}

/**
 * The same with a byte for each number of a vector: a quarter of the memory. A cosine may differ by
 * some thousandths; that of a vector with itself is 1.
 */
export function createPackedIndex<Key extends string>(
  dimension: number,
  createKernel?: () => ByteKernel,
): VectorIndex<Key> {
  return indexOver(new PackedMatrix(dimension, createKernel));
}

function indexOver<Key extends string>(matrix: VectorMatrix | PackedMatrix): VectorIndex<Key> {
  const { dimension } = matrix;
  const rows = new Map<Key, number>();
  const keys: Key[] = [];

  function similarities(query: Float32Array): Similarities<Key> {
    const scores = matrix.multiply(query);
    const compare = (one: number, other: number) => (keys[one]! < keys[other]! ? -1 : 1);
    return {
      scores,
      rowOf: (key) => rows.get(key),
      keyOf: (row) => keys[row],
      best: (limit, accepts = () => true) => selectRows(scores, { limit, accepts, compare }),
    };
  }

  return {
    dimension,
    get size() {
      return keys.length;
    },
    get bytes() {
      return matrix.bytes;
    },
    get kernel() {
      return matrix.kernel;
    },
    set(key, vector) {
      const row = rows.get(key);
      if (row !== undefined) return matrix.replace(row, vector);
      rows.set(key, matrix.append(vector));
      keys.push(key);
    },
    delete(key) {
      const row = rows.get(key);
      if (row === undefined) return false;
      const last = keys.pop()!;
      if (last !== key) {
        keys[row] = last;
        rows.set(last, row);
      }
      rows.delete(key);
      matrix.remove(row);
      return true;
    },
    has: (key) => rows.has(key),
    get(key) {
      const row = rows.get(key);
      return row === undefined ? undefined : matrix.read(row);
    },
    keys: () => rows.keys(),
    similarities,
    nearest(query, limit, filter = () => true) {
      const { scores, best } = similarities(query);
      return best(limit, (row) => filter(keys[row]!)).map((row) => ({
        key: keys[row]!,
        similarity: scores[row]!,
      }));
    },
  };
}
