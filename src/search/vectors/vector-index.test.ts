import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createDotKernel } from './dot-kernel.js';
import { createVectorIndex, type VectorIndex } from './vector-index.js';

const DIMENSION = 6;

/** Makes the code run as in an engine without SIMD. */
class Refusal {
  readonly exports = {};
  constructor() {
    throw new Error('invalid numeric opcode 0xfd');
  }
}
const kernels = [
  ['simd', () => createDotKernel()],
  ['plain', () => createDotKernel({ Module: Refusal, Instance: Refusal })],
] as const;

/**
 * Vectors with four components of ±1/2: their length is exactly 1, and their products are exact and
 * often equal, so results can be compared without tolerance and ties are common.
 */
const exactVector = fc
  .tuple(
    fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 4, maxLength: 4 }),
    fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  )
  .map(([places, signs]) => {
    const vector = new Float32Array(DIMENSION);
    places.forEach((place, i) => (vector[place] = signs[i] ? 0.5 : -0.5));
    return vector;
  });
const key = fc.nat(99).map((n) => `k${n}`);
const change = fc.record({ key, vector: fc.option(exactVector, { freq: 2 }) });

const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, i) => sum + value * other[i]!, 0);

function naiveNearest(model: ReadonlyMap<string, Float32Array>, query: Float32Array) {
  return [...model]
    .map(([name, vector]) => ({ key: name, similarity: dot(query, vector) }))
    .toSorted((a, b) => b.similarity - a.similarity || (a.key < b.key ? -1 : 1));
}

function oneHot(place: number, dimension = DIMENSION): Float32Array {
  return Float32Array.from({ length: dimension }, (_, i) => (i === place ? 1 : 0));
}

const similaritiesByKey = (index: VectorIndex<string>, query: Float32Array) => {
  const { scores, rowOf } = index.similarities(query);
  return new Map(Array.from(index.keys(), (name) => [name, scores[rowOf(name)!]]));
};

describe.each(kernels)('with the %s kernel', (kind, createKernel) => {
  test('vector index agrees with one-by-one comparison after any changes', () => {
    const changes = fc.array(change, { maxLength: 300, size: 'max' });
    const isEven = (name: string) => Number(name.slice(1)) % 2 === 0;
    fc.assert(
      fc.property(changes, exactVector, fc.nat(30), (all, query, limit) => {
        const index = createVectorIndex(DIMENSION, createKernel);
        const model = new Map<string, Float32Array>();
        for (const { key: name, vector } of all) {
          expect(index.has(name)).toBe(model.has(name));
          for (const one of [index, model]) {
            if (vector) one.set(name, vector);
            else one.delete(name);
          }
          // Leaves products in memory that later rows must not read as their own.
          index.similarities(query);
        }
        const expected = naiveNearest(model, query);

        expect(index.kernel).toBe(kind);
        expect(new Map(Array.from(index.keys(), (name) => [name, index.get(name)]))).toEqual(model);
        expect(index.size).toBe(model.size);
        expect(similaritiesByKey(index, query)).toEqual(
          new Map(expected.map((one) => [one.key, one.similarity])),
        );
        expect(index.nearest(query, limit)).toEqual(expected.slice(0, limit));
        expect(index.nearest(query, limit, isEven)).toEqual(
          expected.filter((one) => isEven(one.key)).slice(0, limit),
        );
      }),
    );
  });

  test('vector index gives the same results for a query of any length', () => {
    const components = fc.array(fc.float({ min: -9, max: 9, noNaN: true }), {
      minLength: DIMENSION,
      maxLength: DIMENSION,
    });
    const vector = components
      .map((values) => Float32Array.from(values))
      .filter((values) => Math.hypot(...values) > 1e-6);
    fc.assert(
      fc.property(vector, vector, (stored, query) => {
        const index = createVectorIndex(DIMENSION, createKernel);
        index.set('a', stored);

        const cosine = dot(stored, query) / (Math.hypot(...stored) * Math.hypot(...query));

        const [hit] = index.nearest(query, 1);
        expect(Math.abs(hit!.similarity - cosine)).toBeLessThan(3e-3);
        expect(index.nearest(stored, 1)[0]?.similarity).toBeCloseTo(1, 2);
      }),
    );
  });

  test('vector index grows to thousands of rows and frees memory when they are removed', () => {
    const index = createVectorIndex(65, createKernel);
    const names = Array.from({ length: 5_000 }, (_, i) => `k${i}`);
    const bytesBefore = index.bytes;

    names.forEach((name, i) => index.set(name, oneHot(i % 65, 65)));
    const bytesFull = index.bytes;
    const hits = index.nearest(oneHot(64, 65), 100);
    for (const name of names.slice(7)) index.delete(name);

    expect(hits.map(({ similarity }) => similarity)).toEqual([
      ...Array.from({ length: 76 }, () => 1),
      ...Array.from({ length: 24 }, () => 0),
    ]);
    expect(hits[0]?.key).toBe('k1039');
    expect(bytesFull).toBeGreaterThan(5_000 * 65 * 4);
    expect(index.bytes).toBe(bytesBefore);
    expect(index.nearest(oneHot(5, 65), 1)).toEqual([{ key: 'k5', similarity: 1 }]);
    expect(index.get('k6')).toEqual(oneHot(6, 65));
  });
});

test('vector index orders equal similarities by key, whatever the order of insertion', () => {
  const index = createVectorIndex(2);
  for (const name of ['c', 'a', 'd', 'b', 'e']) index.set(name, Float32Array.of(0, 1));

  const deletions = [index.delete('a'), index.delete('a')];

  expect(deletions).toEqual([true, false]);
  const hits = index.nearest(Float32Array.of(0, 1), 3);
  expect(hits.map((hit) => hit.key)).toEqual(['b', 'c', 'd']);
});

test('empty vector index returns no results', () => {
  const index = createVectorIndex(DIMENSION);

  const { scores, rowOf, keyOf } = index.similarities(oneHot(1));

  expect(index.nearest(oneHot(1), 5)).toEqual([]);
  expect(scores).toHaveLength(0);
  expect(rowOf('a')).toBeUndefined();
  expect(keyOf(0)).toBeUndefined();
  expect(index.get('a')).toBeUndefined();
});

test.each([0, -1, Number.NaN])(
  'vector index returns nothing for a limit of %d and everything without a limit',
  (limit) => {
    const index = createVectorIndex(2);
    index.set('a', Float32Array.of(1, 0));
    index.set('b', Float32Array.of(0, 1));

    expect(index.nearest(Float32Array.of(1, 0), limit)).toEqual([]);
    expect(index.nearest(Float32Array.of(1, 0), Infinity)).toHaveLength(2);
  },
);

test('vector index keeps a copy of a vector and scales it to length 1 if necessary', () => {
  const index = createVectorIndex(2);
  const long = Float32Array.of(3, 4);
  const nearly = Float32Array.of(0.6004, 0.8);
  index.set('long', long);
  index.set('nearly', nearly);

  long.fill(0);
  index.get('nearly')!.fill(0);

  expect(index.get('long')).toEqual(Float32Array.of(0.6, 0.8));
  expect(index.get('nearly')).toEqual(nearly);
});

test.each([
  ['another dimension', Float32Array.of(1), 'dimension 2, got one of dimension 1'],
  ['no direction', Float32Array.of(0, 0), 'got one of length 0'],
  ['a hole', Float32Array.of(1, Number.NaN), 'got one of length NaN'],
  ['no end', Float32Array.of(1, -Infinity), 'got one of length Infinity'],
])('vector index refuses a vector with %s and stays unchanged', (_, vector, message) => {
  const index = createVectorIndex(2);
  index.set('a', Float32Array.of(1, 0));

  expect(() => index.set('a', vector)).toThrow(message);
  expect(() => index.set('b', vector)).toThrow(TypeError);
  expect(() => index.nearest(vector, 1)).toThrow(message);

  expect(index.nearest(Float32Array.of(1, 0), 5)).toEqual([{ key: 'a', similarity: 1 }]);
});

test.each([0, 1.5, Number.NaN])('vector index refuses %d as a dimension', (dimension) => {
  expect(() => createVectorIndex(dimension)).toThrow(TypeError);
});
