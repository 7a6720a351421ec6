import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createDotKernel, type DotKernel, LANES } from './dot-kernel.js';

/** Makes the code run as in an engine without SIMD. */
class Refusal {
  readonly exports = {};
  constructor() {
    throw new Error('invalid numeric opcode 0xfd');
  }
}
const component = fc.float({ min: -1, max: 1, noNaN: true });

/** Puts the padded rows behind the query, and the products behind the rows. */
function products(kernel: DotKernel, query: readonly number[], rows: readonly number[][]) {
  const width = Math.ceil(query.length / LANES) * LANES;
  const out = width * (rows.length + 1);
  kernel.reserve(out + rows.length + 1);
  kernel.numbers.fill(0).set(query);
  rows.forEach((row, i) => kernel.numbers.set(row, width * (i + 1)));
  kernel.numbers[out + rows.length] = 7;
  kernel.multiply({ query: 0, matrix: width, rows: rows.length, width, out });
  expect(kernel.numbers[out + rows.length], 'wrote past its end').toBe(7);
  return [...kernel.numbers.subarray(out, out + rows.length)];
}

const dot = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, i) => sum + value * other[i]!, 0);

describe.each([
  ['simd', () => createDotKernel()],
  ['plain', () => createDotKernel({ Module: Refusal, Instance: Refusal })],
])('the %s kernel', (kind, create) => {
  test('dot kernel reports its own kind', () => {
    expect(create().kind).toBe(kind);
  });

  test('dot kernel multiplies like a plain loop for any dimension and number of rows', () => {
    const vectorsOf = (dimension: number) => {
      const vector = fc.array(component, { minLength: dimension, maxLength: dimension });
      return fc.tuple(vector, fc.array(vector, { maxLength: 9 }));
    };
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }).chain(vectorsOf), ([query, rows]) => {
        const found = products(create(), query, rows);

        expect(found).toHaveLength(rows.length);
        found.forEach((product, i) => expect(product).toBeCloseTo(dot(query, rows[i]!), 4));
      }),
    );
  });

  test('dot kernel multiplies exact values without any error', () => {
    const row = Array.from({ length: 1_027 }, (_, i) => (i % 5) - 2);
    const rows = Array.from({ length: 100 }, (_, i) => row.map((value) => value + (i % 3)));

    expect(products(create(), row, rows)).toEqual(rows.map((other) => dot(row, other)));
  });

  test('dot kernel keeps its content when its memory grows', () => {
    const kernel = create();
    kernel.reserve(3);
    kernel.numbers.set([1, 2, 3]);

    kernel.reserve(200_000);

    expect(kernel.numbers.length).toBeGreaterThanOrEqual(200_000);
    expect([...kernel.numbers.subarray(0, 4)]).toEqual([1, 2, 3, 0]);
  });
});
