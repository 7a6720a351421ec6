import fc from 'fast-check';
import { expect, test } from 'vitest';

import type { ToolId } from '../../core/index.js';
import { Hypergraph, type Incidence } from './hypergraph.js';
import { HEAD_NAMES, type RunEdge, runEdge } from './run-edge.js';

const TOOLS = Array.from({ length: 9 }, (_, place) => `a:t${place}` as ToolId);

const run: fc.Arbitrary<RunEdge> = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 6 }),
    fc.uniqueArray(fc.constantFrom(...TOOLS), { maxLength: 4 }),
  )
  .map(([tools, givers]) => runEdge({ tools, givers: new Set(givers) }));
/** Runs of up to five groups. */
const runs = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), run), { maxLength: 40 });

/** Everything that can be asked of a hypergraph, in one order. */
function told(graph: Incidence): unknown {
  return TOOLS.map((tool) => ({
    uses: graph.uses(tool),
    heads: HEAD_NAMES.map((head) => {
      const company: [ToolId, number][] = [];
      graph.eachWith(head, tool, (other, count) => company.push([other, count]));
      return [graph.anchored(head, tool), company.toSorted(([a], [b]) => (a < b ? -1 : 1))];
    }),
  }));
}

function built(edges: Iterable<RunEdge>): Hypergraph {
  const graph = new Hypergraph();
  for (const edge of edges) graph.add(edge);
  return graph;
}

// covers: ATTENTION-WITHOUT-GROUP
test('the hypergraph without a group of runs equals one that was built without them', () => {
  fc.assert(
    fc.property(runs, fc.integer({ min: 0, max: 4 }), (all, group) => {
      const [own, others] = [all.filter(([g]) => g === group), all.filter(([g]) => g !== group)];

      const without = built(all.map(([, edge]) => edge)).without(own.map(([, edge]) => edge));

      expect(told(without)).toEqual(told(built(others.map(([, edge]) => edge))));
    }),
  );
});

test('the hypergraph from which runs were removed equals one that never had them', () => {
  fc.assert(
    fc.property(runs, fc.integer({ min: 0, max: 4 }), (all, group) => {
      const graph = built(all.map(([, edge]) => edge));

      for (const [own, edge] of all) if (own === group) graph.remove(edge);

      const others = all.flatMap(([own, edge]) => (own === group ? [] : [edge]));
      expect(told(graph)).toEqual(told(built(others)));
      expect(graph.size).toBe(others.length);
    }),
  );
});
