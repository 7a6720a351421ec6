import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createByteKernel } from './byte-kernel.js';
import { createPackedIndex, createVectorIndex } from './vector-index.js';

/** What an engine without SIMD does with the code. */
class Refusal {
  readonly exports = {};
  constructor() {
    throw new Error('invalid numeric opcode 0xfd');
  }
}
const kernels = [
  ['simd', () => createByteKernel()],
  ['plain', () => createByteKernel({ Module: Refusal, Instance: Refusal })],
] as const;

const DIMENSION = 384;

/** Unit vectors as a model gives them: many small numbers of either sign. */
function vectorOf(seed: number, dimension = DIMENSION): Float32Array {
  let state = seed + 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
  const vector = Float32Array.from({ length: dimension }, next);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

describe.each(kernels)('with the %s kernel', (kind, createKernel) => {
  test('cosines differ by less than some thousandths from exact ones', () => {
    const packed = createPackedIndex<string>(DIMENSION, createKernel);
    const exact = createVectorIndex<string>(DIMENSION);
    for (let seed = 0; seed < 300; seed++) {
      packed.set(`v${seed}`, vectorOf(seed));
      exact.set(`v${seed}`, vectorOf(seed));
    }
    const query = vectorOf(7).map((value, at) => value + vectorOf(1_000)[at]!);

    const [own, wanted] = [packed.similarities(query), exact.similarities(query)];
    const differences = Array.from(own.scores, (score, row) => {
      return Math.abs(score - wanted.scores[wanted.rowOf(own.keyOf(row)!)!]!);
    });

    expect(packed.kernel).toBe(kind);
    expect(Math.max(...differences)).toBeLessThan(0.005);
    expect(packed.nearest(query, 1)[0]?.key).toBe('v7');
  });

  test('a vector is as like itself as can be, of any dimension and length', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        (dimension, by) => {
          const index = createPackedIndex<string>(dimension, createKernel);
          const vector = vectorOf(dimension, dimension).map((value) => value * by);
          index.set('other', vectorOf(99, dimension));
          index.set('own', vector);

          const { scores, rowOf } = index.similarities(vector);

          expect(scores[rowOf('own')!]).toBeCloseTo(1, 5);
          expect(Math.hypot(...index.get('own')!)).toBeCloseTo(1, 5);
        },
      ),
    );
  });

  test('rows keep their vectors while others come and go', () => {
    const index = createPackedIndex<string>(DIMENSION, createKernel);
    for (let seed = 0; seed < 500; seed++) index.set(`v${seed}`, vectorOf(seed));
    for (let seed = 0; seed < 500; seed++) if (seed % 7 !== 0) index.delete(`v${seed}`);
    index.set('v7', vectorOf(1_234));

    for (const [key, seed] of [
      ['v0', 0],
      ['v7', 1_234],
      ['v490', 490],
    ] as const) {
      expect(index.nearest(vectorOf(seed), 1)).toEqual([{ key, similarity: expect.closeTo(1, 5) }]);
    }
    expect(index.size).toBe(72);
  });

  test('a vector without a direction or of another dimension is refused', () => {
    const index = createPackedIndex<string>(3, createKernel);

    expect(() => index.set('a', new Float32Array(3))).toThrow(TypeError);
    expect(() => index.set('a', new Float32Array(2).fill(1))).toThrow('dimension 3');
    expect(() => index.similarities(new Float32Array([NaN, 1, 1]))).toThrow(TypeError);
    expect(index.size).toBe(0);
  });
});

test('20,000 vectors take about a quarter of the memory', () => {
  const [packed, exact] = [
    createPackedIndex<string>(DIMENSION),
    createVectorIndex<string>(DIMENSION),
  ];
  for (let seed = 0; seed < 20_000; seed++) {
    const vector = new Float32Array(DIMENSION).fill(1);
    packed.set(`v${seed}`, vector);
    exact.set(`v${seed}`, vector);
  }

  expect(packed.bytes).toBeLessThan(exact.bytes / 3.7);
});
