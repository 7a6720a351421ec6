import { describe, expect, test } from 'vitest';

import { graphWith, id } from '../../../test/helpers/graph-samples.js';
import { relatednessTo } from './adamic-adar.js';

// x and y have p (three neighbours) and q (two) in common; directions differ.
const graph = graphWith(
  ['a:x', 'c:p', 'sequence'],
  ['c:p', 'b:y', 'sequence'],
  ['c:p', 'd:r', 'provides'],
  ['d:q', 'a:x', 'sequence'],
  ['b:y', 'd:q', 'sequence'],
  ['b:y', 'd:q', 'provides'],
);
const COMMON = 1 / Math.log(3) + 1 / Math.log(2);

const relatedness = (one: string, ...others: readonly string[]) =>
  relatednessTo(graph, others.map(id))(id(one));

describe('how much a node has to do with others', () => {
  test('relatedness counts common neighbours, each worth one over the logarithm of its neighbours', () => {
    expect(relatedness('a:x', 'b:y')).toBeCloseTo(COMMON / (1 + COMMON));
    expect(relatedness('b:y', 'a:x')).toBeCloseTo(COMMON / (1 + COMMON));
  });

  test('relatedness is the strongest edge in either direction where that is more', () => {
    expect(relatedness('d:r', 'c:p')).toBeCloseTo(0.7);
    expect(relatedness('d:r', 'b:y', 'c:p')).toBeCloseTo(0.7);
    expect(relatedness('b:y', 'd:q')).toBeCloseTo(0.7);
  });

  test('relatedness is zero to itself, without others, and for unknown nodes', () => {
    expect(relatedness('a:x', 'a:x')).toBe(0);
    expect(relatedness('a:x')).toBe(0);
    expect(relatedness('no:such', 'a:x')).toBe(0);
    expect(relatedness('a:x', 'no:such')).toBe(0);
  });
});
