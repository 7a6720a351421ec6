import { expect, test } from 'vitest';

import { aTrace, graphWith, id } from '../../../test/helpers/graph-samples.js';
import { graphOf } from '../../graph/index.js';
import { feedingBy } from './feeding.js';

test('a tool is ready as far as what it takes values of is done', () => {
  const graph = graphWith(
    ['a:one', 'a:end', 'provides', 6],
    ['a:two', 'a:end', 'provides', 2],
    ['cap:three', 'a:end', 'dependency', 2],
    ['a:four', 'a:end', 'sequence', 9],
  );
  const readyAfter = (...done: string[]) =>
    feedingBy(graph, new Set(done.map(id)))(id('a:end')).ready;

  expect(readyAfter('a:one')).toBe(0.6);
  expect(readyAfter('a:two', 'cap:three')).toBe(0.4);
  expect(readyAfter('a:one', 'a:two', 'cap:three')).toBe(1);
  expect(readyAfter('a:four')).toBe(0);
  expect(readyAfter()).toBe(0);
});

test('the one it takes from most counts, of all runs it was in', () => {
  const graph = graphWith();
  const flow = [{ from: 0, to: 1 }];
  const traces = [
    aTrace(['a:one', 'a:end'], flow),
    aTrace(['a:one', 'a:end'], flow),
    aTrace(['a:two', 'a:end'], flow),
  ];
  graph.apply(graphOf(traces));

  const feeding = feedingBy(graph, new Set([id('a:one'), id('a:two')]));

  expect(feeding(id('a:end'))).toEqual({ fed: 2 / 4, ready: 1 });
  expect(feeding(id('a:one'))).toEqual({ fed: 0, ready: 0 });
});
