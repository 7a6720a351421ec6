import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  aCall,
  aChain,
  anyCapabilities,
  anyTrace,
  aTrace,
  edgesDelta,
  graphWith,
  id,
  withStructure,
} from '../../test/helpers/graph-samples.js';
import type { EdgeType } from '../core/index.js';
import { graphOf } from './graph-of.js';
import { KnowledgeGraph } from './knowledge-graph.js';

const byKey = <T extends object>(all: readonly T[]) =>
  all.map((one) => JSON.stringify(one, Object.keys(one).toSorted())).toSorted();

/** All readable content of a graph, independent of the order of its updates. */
function contentOf(graph: KnowledgeGraph) {
  return {
    nodes: byKey(graph.nodes()),
    edges: byKey(graph.edges()),
    refused: byKey(graph.refused),
  };
}

function edgeTexts(graph: KnowledgeGraph, type: EdgeType): readonly string[] {
  return graph
    .edges()
    .filter((edge) => edge.type === type)
    .map(({ from, to, source }) => `${from} > ${to} ${source}`)
    .toSorted();
}

describe('weights', () => {
  test('edge weight is type times source times reliability', () => {
    const graph = new KnowledgeGraph();
    const seen = { from: id('a:x'), to: id('b:y'), type: 'provides' as const, lastAt: 1 };

    graph.apply({ nodes: [], edges: [{ ...seen, observed: 2, failed: 0 }] });
    expect(graph.edge(seen.from, seen.to, 'provides')?.weight).toBeCloseTo(0.7 * 0.7);
    graph.apply({ nodes: [], edges: [{ ...seen, observed: 1, failed: 2 }] });

    expect(graph.edge(seen.from, seen.to, 'provides')).toMatchObject({
      source: 'observed',
      observed: 3,
      failed: 2,
    });
    expect(graph.edge(seen.from, seen.to, 'provides')?.weight).toBeCloseTo(0.7 * (4 / 6));
  });

  test('edge weight rises when executions confirm what the code of a capability says', () => {
    const graph = new KnowledgeGraph();
    graph.setCapabilities([aChain('c', ['a:x', 'b:y'])]);
    const weight = () => graph.edge(id('a:x'), id('b:y'), 'provides')?.weight;
    const trace = aTrace(['a:x', 'b:y'], [{ from: 0, to: 1 }]);

    const weights = [weight()];
    for (let time = 0; time < 3; time++) {
      graph.apply(graphOf([trace]));
      weights.push(weight());
    }

    expect(weights.map((one) => one?.toFixed(2))).toEqual(['0.35', '0.49', '0.49', '0.70']);
  });
});

describe('what the code of capabilities says', () => {
  test('capability code gives contained tools and flows of results, over operations in between', () => {
    const graph = new KnowledgeGraph();
    const nodes = [
      { id: 'n1', kind: 'task', tool: 'a:read' },
      { id: 'n2', kind: 'operation', operation: 'code:filter' },
      { id: 'n3', kind: 'task', tool: 'b:pack' },
      { id: 'n4', kind: 'capability', capability: 'old_name' },
      { id: 'n5', kind: 'task', tool: 'c:send' },
      { id: 'n6', kind: 'task' },
    ];
    const links = [
      ['n1', 'n2'],
      ['n2', 'n3'],
      ['n3', 'n4'],
      ['n4', 'n5'],
      ['n5', 'n6'],
    ].map(([from = '', to = '']) => ({ kind: 'provides', from, to }));
    const backup = aChain('backup', ['d:copy'], { aliases: ['old_name'] });

    graph.setCapabilities([withStructure('all', { nodes, edges: links }), backup]);

    expect(edgeTexts(graph, 'provides')).toEqual([
      'a:read > b:pack template',
      'b:pack > cap:backup template',
    ]);
    expect(edgeTexts(graph, 'dependency')).toEqual(['cap:backup > c:send template']);
    expect(edgeTexts(graph, 'contains')).toEqual([
      'cap:all > a:read template',
      'cap:all > b:pack template',
      'cap:all > c:send template',
      'cap:all > cap:backup template',
      'cap:backup > d:copy template',
    ]);
    expect(
      [id('a:read'), id('cap:backup'), id('cap:all')].map((one) => graph.node(one)?.kind),
    ).toEqual(['tool', 'capability', 'meta']);
  });

  test('capability code without structure gives the calls of the last proof', () => {
    const graph = new KnowledgeGraph();
    const current = { structure: 'strange', contains: ['d'], toolsUsed: [id('a:x')] };

    graph.setCapabilities([
      { name: 'c', aliases: [], current: { ...current, sequence: ['b:y#0', 'code:map#0'] } },
    ]);

    expect(edgeTexts(graph, 'contains')).toEqual([
      'cap:c > a:x template',
      'cap:c > b:y template',
      'cap:c > cap:d template',
    ]);
  });

  test('capability edges go with their capability, and observed edges stay', () => {
    const graph = new KnowledgeGraph();
    graph.apply(graphOf([aTrace(['a:x', 'b:y'], [{ from: 0, to: 1 }])]));
    const before = contentOf(graph);

    graph.setCapabilities([aChain('c', ['a:x', 'b:y', 'c:z'])]);
    expect(graph.has(id('c:z'))).toBe(true);
    graph.setCapabilities([]);

    expect(graph.has(id('c:z'))).toBe(false);
    expect(byKey(graph.nodes())).toEqual(before.nodes);
    expect(graph.edge(id('a:x'), id('b:y'), 'provides')?.source).toBe('inferred');
    expect(graph.size).toEqual({ nodes: 2, edges: 2 });
  });
});

describe('cycles', () => {
  test('a cycle loses its weakest edge, which comes back when another has become weaker', () => {
    const graph = graphWith(
      ['cap:x', 'cap:y', 'dependency', 5],
      ['cap:y', 'cap:z', 'dependency', 2],
      ['cap:z', 'cap:x', 'dependency', 3],
      ['cap:y', 'a:tool', 'dependency', 1],
    );
    expect(graph.refused.map(({ from, to }) => `${from} > ${to}`)).toEqual(['cap:y > cap:z']);

    graph.apply(edgesDelta(['cap:y', 'cap:z', 'dependency', 2]));

    expect(graph.refused.map(({ from, to }) => `${from} > ${to}`)).toEqual(['cap:z > cap:x']);
    expect(graph.edge(id('cap:y'), id('cap:z'), 'dependency')?.observed).toBe(4);
    expect(graph.refused[0]?.observed).toBe(3);
  });

  test('a cycle of equal edges keeps the first by name, and a refused edge makes no meta-capability', () => {
    const graph = graphWith(['cap:y', 'cap:x', 'contains'], ['cap:x', 'cap:y', 'contains']);

    expect(graph.refused.map(({ from, to }) => `${from} > ${to}`)).toEqual(['cap:y > cap:x']);
    expect(graph.node(id('cap:x'))?.kind).toBe('meta');
    expect(graph.node(id('cap:y'))?.kind).toBe('capability');
  });

  test('the graph never has a cycle or a node that is its own neighbour', () => {
    fc.assert(
      fc.property(fc.array(anyTrace), anyCapabilities, (traces, capabilities) => {
        const graph = new KnowledgeGraph();
        graph.setCapabilities(capabilities);
        graph.apply(graphOf(traces));

        for (const type of ['dependency', 'contains'] as const) {
          const edges = graph.edges().filter((edge) => edge.type === type);
          expect(sortsOut(edges)).toBe(true);
        }
        expect(graph.edges().filter(({ from, to }) => from === to)).toEqual([]);
      }),
    );
  });
});

/** Whether nodes can be removed one by one, each when no edge leads to it any more. */
function sortsOut(edges: readonly { readonly from: string; readonly to: string }[]): boolean {
  let left = edges;
  for (;;) {
    const ends = new Set(left.map(({ to }) => to));
    const rest = left.filter(({ from }) => ends.has(from));
    if (rest.length === left.length) return rest.length === 0;
    left = rest;
  }
}

describe('the graph', () => {
  test('the graph does not depend on the order or the batches of its updates', () => {
    const batched = fc.array(fc.array(anyTrace, { maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(batched, anyCapabilities, anyCapabilities, (batches, old, now) => {
        const rebuilt = new KnowledgeGraph();
        rebuilt.apply(graphOf(batches.flat()));
        rebuilt.setCapabilities(now);

        const grown = new KnowledgeGraph();
        grown.setCapabilities(old);
        for (const [place, batch] of batches.toReversed().entries()) {
          grown.apply(graphOf(batch));
          if (place === 1) grown.setCapabilities(now);
        }
        grown.setCapabilities(now);

        expect(contentOf(grown)).toEqual(contentOf(rebuilt));
      }),
    );
  });

  test('the graph gives the edges of a node in both directions, by type if asked', () => {
    const graph = graphWith(
      ['a:x', 'b:y', 'sequence'],
      ['a:x', 'b:y', 'provides'],
      ['c:z', 'a:x', 'sequence'],
    );

    expect(
      graph
        .out(id('a:x'))
        .map(({ type }) => type)
        .toSorted(),
    ).toEqual(['provides', 'sequence']);
    expect(graph.out(id('a:x'), ['provides']).map(({ to }) => to)).toEqual(['b:y']);
    expect(graph.in(id('a:x')).map(({ from }) => from)).toEqual(['c:z']);
    expect(graph.out(id('no:such'))).toEqual([]);
    expect(graph.node(id('no:such'))).toBeUndefined();
  });

  test('the graph reports changes: its version grows, and so does that of the changed nodes', () => {
    const graph = graphWith(['a:x', 'b:y', 'sequence'], ['c:z', 'd:w', 'sequence']);
    const { version } = graph;

    graph.apply(graphOf([aTrace(['a:x', aCall('b:y')])]));

    expect(graph.version).toBeGreaterThan(version);
    expect(graph.changedAt(id('a:x'))).toBeGreaterThan(version);
    expect(graph.changedAt(id('c:z'))).toBeLessThanOrEqual(version);
  });
});
