import { describe, expect, test } from 'vitest';

import { aVersion } from '../../test/helpers/capability-samples.js';
import { deserves, successRate } from './deserves.js';

const now = new Date('2026-11-02T08:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

function after(uses: number, successes: number, lastUsed = now) {
  const statistics = { uses, successes, failuresInRow: 0, totalMs: 0, lastUsed };
  const version = aVersion({ statistics, sequence: ['a:b#0', 'a:c#0'], contains: [] });
  return { version, reliability: successRate(statistics) };
}

const isShown = ({ version, reliability }: ReturnType<typeof after>) =>
  deserves(version, { reliability, isPinned: false, now });

describe('deserves', () => {
  test.each([
    [1, 1, true],
    [2, 1, false],
    [3, 2, true],
    [10, 9, true],
    [10, 5, false],
  ])('deserves for %i uses with %i successes is %s', (uses, successes, expected) => {
    expect(isShown(after(uses, successes))).toBe(expected);
  });

  test('deserves requires more uses of code with a single call', () => {
    const single = (uses: number) => {
      const { version, reliability } = after(uses, uses);
      return isShown({ version: { ...version, sequence: ['a:b#0'] }, reliability });
    };

    expect([single(1), single(2), single(3)]).toEqual([false, false, true]);
  });

  test('deserves drops code that was rarely and long ago used, but not code that was used often', () => {
    expect(isShown(after(2, 2, daysAgo(59)))).toBe(true);
    expect(isShown(after(2, 2, daysAgo(61)))).toBe(false);
    expect(isShown(after(3, 3, daysAgo(500)))).toBe(true);
  });

  test('deserves accepts pinned and freshly imported capabilities', () => {
    const { version } = after(9, 0);
    const statistics = { uses: 0, successes: 0, failuresInRow: 0, totalMs: 0 };
    const imported = {
      ...version,
      statistics,
      provenance: { origin: 'imported', at: now } as const,
    };

    expect(deserves(version, { reliability: 0, isPinned: true, now })).toBe(true);
    expect(deserves(imported, { reliability: 0.5, isPinned: false, now })).toBe(true);
  });

  test('success rate starts at one half and approaches the observed rate with more uses', () => {
    const rate = (uses: number, successes: number) =>
      successRate({ uses, successes, failuresInRow: 0, totalMs: 0 });

    expect([rate(0, 0), rate(1, 1)]).toEqual([0.5, 2 / 3]);
    expect(rate(1_000, 900)).toBeCloseTo(0.9, 2);
  });
});
