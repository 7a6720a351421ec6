import { describe, expect, test } from 'vitest';

import { graphWith, id } from '../../../test/helpers/graph-samples.js';
import { expandCandidates, expansionByMaturity, expansionBySparsity } from './expand-candidates.js';

describe('how many more candidates to look at', () => {
  test('grows with the density in steps, seen as maturity', () => {
    expect([0, 0.009, 0.01, 0.1, 0.11, 1].map(expansionByMaturity)).toEqual([1.5, 1.5, 2, 2, 3, 3]);
  });

  test('falls with the density from three times to one and a half, seen as sparsity', () => {
    expect([0, 0.5, 1, 2].map(expansionBySparsity)).toEqual([3, 2.25, 1.5, 1.5]);
  });
});

describe('candidates', () => {
  const graph = graphWith(
    ['a:x', 'b:next', 'provides'],
    ['c:before', 'a:x', 'sequence'],
    ['a:x', 'd:weak', 'alternative'],
    ['a:x', 'a:y', 'sequence'],
  );

  test('come with what stands before and after them, the strongest first', () => {
    const given = [id('a:x'), id('a:y')];

    expect(expandCandidates(graph, given, { limit: 2, factor: 3 })).toEqual([
      'a:x',
      'a:y',
      'b:next',
      'c:before',
      'd:weak',
    ]);
    expect(expandCandidates(graph, given, { limit: 2, factor: 1.5 })).toEqual([
      'a:x',
      'a:y',
      'b:next',
    ]);
  });
});
