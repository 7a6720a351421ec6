import { describe, expect, test } from 'vitest';

import { edgesDelta, graphWith, id } from '../../../test/helpers/graph-samples.js';
import { silentLogger } from '../../core/index.js';
import { KnowledgeGraph } from '../knowledge-graph.js';
import { GraphMetrics } from './graph-metrics.js';
import { areInOneCommunity, computeMetrics, importanceOf } from './metrics.js';

describe('metrics', () => {
  test('metrics rank nodes by the weight of the edges that lead to them', () => {
    const graph = graphWith(['a:x', 'b:y', 'sequence', 3], ['a:x', 'c:z', 'sequence', 1]);

    const metrics = computeMetrics(graph);

    // With d = 0.85: x = base, y = base + d·x·0.5/0.85, z = base + d·x·0.35/0.85.
    const base = metrics.ranks.get(id('a:x'))!;
    expect(metrics.ranks.get(id('b:y'))).toBeCloseTo(base + base * 0.5, 3);
    expect(metrics.ranks.get(id('c:z'))).toBeCloseTo(base + base * 0.35, 3);
    expect([...metrics.ranks.values()].reduce((a, b) => a + b)).toBeCloseTo(1, 3);
    expect(importanceOf(metrics, id('b:y'))).toBe(1);
    expect(importanceOf(metrics, id('no:such'))).toBe(0);
  });

  test('metrics find communities, degrees and density', () => {
    const graph = graphWith(
      ['a:1', 'a:2', 'sequence'],
      ['a:1', 'a:2', 'provides'],
      ['a:2', 'a:3', 'sequence'],
      ['a:3', 'a:1', 'sequence'],
      ['b:1', 'b:2', 'sequence'],
      ['b:2', 'b:3', 'sequence'],
      ['b:3', 'b:1', 'sequence'],
      ['a:1', 'b:1', 'alternative'],
    );

    const metrics = computeMetrics(graph);

    expect(areInOneCommunity(metrics, id('a:1'), id('a:3'))).toBe(true);
    expect(areInOneCommunity(metrics, id('b:1'), id('b:2'))).toBe(true);
    expect(areInOneCommunity(metrics, id('a:1'), id('b:1'))).toBe(false);
    expect(areInOneCommunity(metrics, id('no:such'), id('no:other'))).toBe(false);
    expect(metrics.degrees.get(id('a:1'))).toBe(3);
    expect(metrics.density).toBeCloseTo(7 / 30);
    expect(computeMetrics(graph)).toEqual(metrics);
  });

  test('metrics exist for an empty graph, and for one without edges', () => {
    const graph = new KnowledgeGraph();
    expect(computeMetrics(graph)).toMatchObject({ density: 0, highestRank: 0 });

    const counts = { calls: 1, failures: 0, repeats: 0, runs: 1, totalMs: 0, lastAt: 0 };
    graph.apply({
      nodes: [
        { id: id('a:x'), ...counts },
        { id: id('b:y'), ...counts },
      ],
      edges: [],
    });

    const metrics = computeMetrics(graph);
    expect(metrics.density).toBe(0);
    expect(areInOneCommunity(metrics, id('a:x'), id('b:y'))).toBe(false);
  });
});

/** A clock that stops until the test moves it, and pauses that end then. */
function stoppedClock() {
  let time = 0;
  const waiting: { readonly at: number; readonly end: () => void }[] = [];
  return {
    now: () => time,
    pause: async (ms: number) =>
      new Promise<void>((end) => {
        waiting.push({ at: time + ms, end });
      }),
    async go(ms: number): Promise<void> {
      time += ms;
      for (let next = due(); next; next = due()) {
        next.end();
        for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      }
    },
  };
  function due() {
    const place = waiting.findIndex(({ at }) => at <= time);
    return place < 0 ? undefined : waiting.splice(place, 1)[0];
  }
}

describe('metrics in the background', () => {
  test('background metrics are empty at first, and those of the graph after a pause', async () => {
    const clock = stoppedClock();
    const metrics = new GraphMetrics(graphWith(['a:x', 'b:y', 'sequence']), {
      ...clock,
      log: silentLogger,
    });

    expect(metrics.current.ranks.size).toBe(0);
    await clock.go(0);

    expect(metrics.current.ranks.size).toBe(2);
  });

  test('background metrics are recomputed when enough changed, and not before the minimum interval', async () => {
    const clock = stoppedClock();
    const graph = graphWith(['a:x', 'b:y', 'sequence'], ['b:y', 'c:z', 'sequence']);
    const metrics = new GraphMetrics(graph, {
      ...clock,
      log: silentLogger,
      leastMs: 1_000,
      changedShare: 0.3,
    });
    void metrics.current;
    await clock.go(0);
    const first = metrics.current;

    graph.apply(edgesDelta(['a:x', 'b:y', 'sequence']));
    await clock.go(5_000);
    expect(metrics.current, 'one edge of two is too little').toBe(first);

    graph.apply(edgesDelta(['c:z', 'd:w', 'sequence'], ['d:w', 'e:v', 'sequence']));
    void metrics.current;
    await clock.go(0);
    const second = metrics.current;
    expect(second.ranks.size).toBe(5);

    graph.apply(
      edgesDelta(
        ['e:v', 'f:u', 'sequence'],
        ['f:u', 'g:t', 'sequence'],
        ['g:t', 'h:s', 'sequence'],
      ),
    );
    expect(metrics.current).toBe(second);
    await clock.go(999);
    expect(metrics.current, 'too early').toBe(second);
    await clock.go(1);
    expect(metrics.current.ranks.size).toBe(8);
  });
});
