import fc from 'fast-check';
import { expect, test } from 'vitest';

import { expectedBest } from './expected-best.js';

test.each([
  { title: 'of nothing nothing is taken', from: [], count: 0, expected: 0 },
  { title: 'what cannot be right is not taken', from: [0, 0], count: 0, expected: 0 },
  { title: 'what is certain is taken whole', from: [1, 1], count: 2, expected: 1 },
  // One: 2 × 0.9 / (1 + 1). Both: 2 × 1 / (2 + 1).
  { title: 'an unlikely one is left out', from: [0.9, 0.1], count: 1, expected: 0.9 },
  // One: 2 × 0.5 / (1 + 1). Both: 2 × 1 / (2 + 1).
  { title: 'two as likely as not are both taken', from: [0.5, 0.5], count: 2, expected: 2 / 3 },
  { title: 'a lone unlikely one is still the best', from: [0.01], count: 1, expected: 0.02 / 1.01 },
])('$title', ({ from, count, expected }) => {
  const chosen = expectedBest(from);

  expect(chosen.count).toBe(count);
  expect(chosen.expected).toBeCloseTo(expected, 12);
});

test('no more are taken than may be, and what is left out counts as missed', () => {
  expect(expectedBest([1, 1, 1], 2)).toEqual({ count: 2, expected: 0.8 });
});

test('whatever the probabilities, the expectation is one and no other count does better', () => {
  const probabilities = fc
    .array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 })
    .map((all) => all.toSorted((a, b) => b - a));
  fc.assert(
    fc.property(probabilities, (all) => {
      const { count, expected } = expectedBest(all);
      const wanted = all.reduce((sum, one) => sum + one, 0);
      const others = all.map((_, place) => {
        const right = all.slice(0, place + 1).reduce((sum, one) => sum + one, 0);
        return (2 * right) / (place + 1 + wanted);
      });

      expect(count).toBeLessThanOrEqual(all.length);
      expect(expected).toBeGreaterThanOrEqual(0);
      expect(expected).toBeLessThanOrEqual(1);
      for (const other of others) expect(other).toBeLessThanOrEqual(expected + 1e-9);
    }),
  );
});
