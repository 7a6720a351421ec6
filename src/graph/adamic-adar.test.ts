import { describe, expect, test } from 'vitest';

import { graphWith, id } from '../../test/helpers/graph-samples.js';
import { adamicAdar, relatedness } from './adamic-adar.js';

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

describe('what two nodes have in common', () => {
  test('is one over the logarithm of the neighbours of each that both know', () => {
    expect(adamicAdar(graph, id('a:x'), id('b:y'))).toBeCloseTo(COMMON);
    expect(adamicAdar(graph, id('b:y'), id('a:x'))).toBeCloseTo(COMMON);
  });

  test('is nothing for a node and itself, or for one that nobody knows', () => {
    expect(adamicAdar(graph, id('a:x'), id('a:x'))).toBe(0);
    expect(adamicAdar(graph, id('a:x'), id('no:such'))).toBe(0);
  });
});

describe('how much a node has to do with others', () => {
  test('is its strongest edge with one of them, or what it has in common with one', () => {
    expect(relatedness(graph, id('d:r'), [id('c:p')])).toBeCloseTo(0.7);
    expect(relatedness(graph, id('a:x'), [id('b:y')])).toBeCloseTo(COMMON / (1 + COMMON));
    expect(relatedness(graph, id('d:r'), [id('b:y'), id('c:p')])).toBeCloseTo(0.7);
  });

  test('is nothing without others', () => {
    expect(relatedness(graph, id('a:x'), [])).toBe(0);
    expect(relatedness(graph, id('no:such'), [id('a:x')])).toBe(0);
  });
});
