import fc from 'fast-check';
import { expect, test } from 'vitest';

import { assignBest, type Pairing } from './assign.js';

const total = (pairings: readonly Pairing[]) => pairings.reduce((sum, { score }) => sum + score, 0);

/** Tries all assignments. */
function best(pairings: readonly Pairing[]): number {
  const [first, ...rest] = pairings;
  if (!first) return 0;
  const others = rest.filter(({ row, column }) => row !== first.row && column !== first.column);
  return Math.max(best(rest), first.score + best(others));
}

test('assignBest gives up the best pair if the total is better without it', () => {
  const pairings = [
    { row: 0, column: 0, score: 0.9 },
    { row: 0, column: 1, score: 0.8 },
    { row: 1, column: 0, score: 0.7 },
  ];

  expect(assignBest(pairings)).toEqual([pairings[2], pairings[1]]);
  expect(assignBest([])).toEqual([]);
});

test('assignBest is as good as an exhaustive search and uses no row or column twice', () => {
  const pairing = fc.record({
    row: fc.nat(4),
    column: fc.nat(5),
    score: fc.integer({ min: 1, max: 97 }).map((score) => score / 100),
  });
  const pairings = fc.uniqueArray(pairing, {
    maxLength: 10,
    selector: ({ row, column }) => `${row} ${column}`,
  });
  fc.assert(
    fc.property(pairings, (given) => {
      const assigned = assignBest(given);
      expect(total(assigned)).toBeCloseTo(best(given));
      expect(new Set(assigned.map(({ row }) => row)).size).toBe(assigned.length);
      expect(new Set(assigned.map(({ column }) => column)).size).toBe(assigned.length);
    }),
  );
});
