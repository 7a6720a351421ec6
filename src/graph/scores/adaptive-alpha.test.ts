import { describe, expect, test } from 'vitest';

import { graphWith, id } from '../../../test/helpers/graph-samples.js';
import { alphaAfter, expectedShare, localAlpha } from './adaptive-alpha.js';

const names = Array.from({ length: 10 }, (_, n) => `a:${n}`);

describe('how much meaning counts at a node', () => {
  test('adaptive alpha is 1 without a graph, and one half where all nodes are connected', () => {
    const clique = graphWith(
      ...names.flatMap((from, n) =>
        names.slice(n + 1).map((to) => [from, to, 'sequence'] as const),
      ),
    );

    expect(localAlpha(clique, id('no:such'))).toBe(1);
    expect(localAlpha(clique, id('a:3'))).toBeCloseTo(0.5, 1);
  });

  test('adaptive alpha is in between at the centre of a star', () => {
    const star = graphWith(...names.slice(1).map((to) => ['a:0', to, 'sequence'] as const));

    // 9 edges among 10 nodes, of 45; each outer node knows only the centre.
    expect(localAlpha(star, id('a:0'))).toBeCloseTo(1 - 0.5 * 0.2 * (1 - 2 ** -4.5));
    expect(localAlpha(star, id('a:5'))).toBeCloseTo(1 - 0.5 * (1 - 2 ** -0.5));
  });

  test('adaptive alpha is 1 for a node that was seen fewer than five times', () => {
    expect([0, 4, 5, 50].map((times) => alphaAfter(times, 0.6))).toEqual([1, 1, 0.6, 0.6]);
  });
});

test('the expected value moves from the prior to the observations', () => {
  expect(expectedShare(0, 0, 0.9)).toBeCloseTo(0.9);
  expect(expectedShare(0, 5, 0.9)).toBeCloseTo(0.45);
  expect(expectedShare(1_000, 1_000, 0.5)).toBeGreaterThan(0.99);
});
