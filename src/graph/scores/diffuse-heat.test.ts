import fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyCapabilities, anyTrace, graphWith, id } from '../../../test/helpers/graph-samples.js';
import { graphOf } from '../graph-of.js';
import { KnowledgeGraph } from '../knowledge-graph.js';
import { diffuseHeat } from './diffuse-heat.js';

test('heat goes along edges, up to what contains a node and down to what it contains', () => {
  const graph = graphWith(
    ['a:x', 'b:y', 'sequence'],
    ['cap:c', 'a:x', 'contains'],
    ['cap:c', 'd:z', 'contains'],
    ['cap:m', 'cap:c', 'contains'],
    ['e:w', 'a:x', 'sequence'],
  );

  const heats = diffuseHeat(graph, new Map([[id('a:x'), 1]]), { steps: 2 });

  expect(heats.get(id('a:x'))).toBe(1);
  expect(heats.get(id('b:y'))).toBeCloseTo(0.5 * 0.9);
  expect(heats.get(id('cap:c'))).toBeCloseTo(0.8 * 0.7);
  expect(heats.get(id('cap:m'))).toBeCloseTo((0.8 * 0.7) ** 2);
  expect(heats.get(id('d:z'))).toBeCloseTo(0.8 * 0.7 * 0.8 * 0.5);
  expect(heats.get(id('e:w')), 'what came before stays cold').toBeUndefined();
});

test('heat over two edges adds up as chances do', () => {
  const graph = graphWith(['a:x', 'c:z', 'provides'], ['b:y', 'c:z', 'provides']);

  const heats = diffuseHeat(
    graph,
    new Map([
      [id('a:x'), 1],
      [id('b:y'), 0.5],
    ]),
  );

  expect(heats.get(id('c:z'))).toBeCloseTo(1 - (1 - 0.63) * (1 - 0.315));
});

test('a capability that takes a value is warmed as what is above, and its result as what is below', () => {
  const graph = graphWith(['a:x', 'cap:c', 'provides'], ['cap:c', 'b:y', 'dependency']);

  const heats = diffuseHeat(graph, new Map([[id('a:x'), 1]]));

  expect(heats.get(id('cap:c'))).toBeCloseTo(0.7 * 0.7);
  expect(heats.get(id('b:y'))).toBeCloseTo(0.7 * 0.7 * 0.5);
});

test('all heats are in [0, 1], and less decay makes nothing colder', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const decays = fc.record({ sameLevel: share, up: share, down: share });
  fc.assert(
    fc.property(
      fc.array(anyTrace, { maxLength: 6 }),
      anyCapabilities,
      decays,
      decays,
      share,
      (traces, capabilities, one, other, warmth) => {
        const graph = new KnowledgeGraph();
        graph.apply(graphOf(traces));
        graph.setCapabilities(capabilities);
        const sources = new Map([
          [id('a:one'), 1],
          [id('cap:x'), warmth],
        ]);
        const more = {
          sameLevel: Math.max(one.sameLevel, other.sameLevel),
          up: Math.max(one.up, other.up),
          down: Math.max(one.down, other.down),
        };

        const less = diffuseHeat(graph, sources, { decay: one });
        const warmer = diffuseHeat(graph, sources, { decay: more });

        for (const [node, heat] of less) {
          expect(heat).toBeGreaterThanOrEqual(0);
          expect(heat).toBeLessThanOrEqual(1);
          expect(warmer.get(node) ?? 0).toBeGreaterThanOrEqual(heat - 1e-12);
        }
      },
    ),
  );
});
