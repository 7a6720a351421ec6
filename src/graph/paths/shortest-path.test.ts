import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { edgesDelta, type EdgeText, graphWith, id } from '../../../test/helpers/graph-samples.js';
import type { KnowledgeGraph } from '../knowledge-graph.js';
import { NeighbourIndex, waysOf } from './neighbour-index.js';
import { connection, strongestPath } from './shortest-path.js';

const indexOf = (graph: KnowledgeGraph) => new NeighbourIndex(waysOf(graph));

describe('how two nodes are connected', () => {
  const graph = graphWith(
    ['a:x', 'cap:c', 'provides'],
    ['cap:c', 'b:y', 'contains'],
    ['b:y', 'd:z', 'sequence'],
    ['e:w', 'd:z', 'sequence'],
  );

  test('a connection has the fewest steps over edges of any type', () => {
    expect(connection(graph, id('a:x'), id('d:z'))).toEqual(['a:x', 'cap:c', 'b:y', 'd:z']);
    expect(connection(graph, id('a:x'), id('a:x'))).toEqual(['a:x']);
  });

  test('a connection is undefined against the direction of edges, or for unknown nodes', () => {
    expect(connection(graph, id('d:z'), id('e:w'))).toBeUndefined();
    expect(connection(graph, id('a:x'), id('no:such'))).toBeUndefined();
  });
});

describe('the strongest path', () => {
  test('the strongest path takes a detour over strong edges rather than a weak shortcut', () => {
    // 1/0.7 + 1/0.7 = 2.86 over b, against 1/0.35 = 2.857 for one observation of the shortcut.
    const graph = graphWith(['a:x', 'b:y', 'provides'], ['b:y', 'c:z', 'provides']);
    graph.apply(edgesDelta(['a:x', 'c:z', 'sequence', 1]));

    const weak = strongestPath(indexOf(graph), id('a:x'), id('c:z'));
    graph.apply({
      nodes: [],
      edges: edgesDelta(['a:x', 'c:z', 'sequence', 0]).edges.map((one) => ({ ...one, failed: 1 })),
    });
    const failed = strongestPath(indexOf(graph), id('a:x'), id('c:z'));

    expect(weak).toEqual({ nodes: ['a:x', 'c:z'], cost: expect.closeTo(1 / 0.35) });
    expect(failed).toEqual({ nodes: ['a:x', 'b:y', 'c:z'], cost: expect.closeTo(2 / 0.7) });
  });

  test('the strongest path follows no edge that does not imply an order', () => {
    const graph = graphWith(['cap:c', 'a:x', 'contains'], ['a:x', 'b:y', 'alternative']);

    expect(strongestPath(indexOf(graph), id('cap:c'), id('a:x'))).toBeUndefined();
    expect(strongestPath(indexOf(graph), id('a:x'), id('b:y'))).toBeUndefined();
  });

  test('the strongest path uses edges that were added since the last search', () => {
    const graph = graphWith(['a:x', 'b:y', 'sequence']);
    const index = indexOf(graph);
    expect(strongestPath(index, id('a:x'), id('c:z'))).toBeUndefined();

    graph.apply(edgesDelta(['b:y', 'c:z', 'sequence']));

    expect(strongestPath(index, id('a:x'), id('c:z'))?.nodes).toEqual(['a:x', 'b:y', 'c:z']);
  });

  test('the strongest path begins and ends where that costs least', () => {
    const graph = graphWith(['a:x', 'c:z', 'provides'], ['b:y', 'd:w', 'provides']);
    const from = new Map([
      [id('a:x'), 2],
      [id('b:y'), 0],
    ]);
    const to = new Map([
      [id('c:z'), 0],
      [id('d:w'), 1],
    ]);

    expect(strongestPath(indexOf(graph), from, to)).toEqual({
      nodes: ['b:y', 'd:w'],
      cost: expect.closeTo(1 / 0.7 + 1),
    });
  });

  test('the strongest path costs as much as an exhaustive search says, however the graph was built', () => {
    const node = fc.nat(6).map((n) => `a:${n}`);
    const type = fc.constantFrom('sequence' as const, 'provides' as const);
    const edge: fc.Arbitrary<EdgeText> = fc.tuple(node, node, type, fc.nat(4));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 20 }), (edges) => {
        const graph = graphWith(...edges);
        const reversed = graphWith(...edges.toReversed());

        const found = strongestPath(indexOf(graph), id('a:0'), id('a:1'));

        expect(found?.cost ?? Infinity).toBeCloseTo(cheapest(graph, 'a:0', 'a:1'));
        expect(strongestPath(indexOf(reversed), id('a:0'), id('a:1'))).toEqual(found);
      }),
    );
  });
});

/** All costs, lowered along every edge until nothing changes. */
function cheapest(graph: KnowledgeGraph, from: string, to: string): number {
  const costs = new Map<string, number>([[from, 0]]);
  for (let round = 0; round < 10; round++) {
    for (const edge of graph.edges()) {
      const cost = (costs.get(edge.from) ?? Infinity) + 1 / edge.weight;
      if (cost < (costs.get(edge.to) ?? Infinity)) costs.set(edge.to, cost);
    }
  }
  return costs.get(to) ?? Infinity;
}
