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
} from '../../../test/helpers/graph-samples.js';
import { computeMetrics, importanceOf } from '../clusters/metrics.js';
import { graphOf } from '../graph-of.js';
import { KnowledgeGraph } from '../knowledge-graph.js';
import { relatednessTo } from './adamic-adar.js';
import { localAlpha } from './adaptive-alpha.js';
import {
  cooccurrenceOf,
  overlapOf,
  recencyOf,
  reliabilityOf,
  shareInCluster,
  transitiveReliability,
} from './score-signals.js';
import { capabilityScore, discoveryScore, hybridScore, nextStepScore } from './scores.js';

describe('scores', () => {
  test('scores equal those computed by hand', () => {
    expect(hybridScore(0.8, 0.4, 0.75)).toBeCloseTo(0.7);
    expect(capabilityScore(0.8, 0.5)).toBeCloseTo(0.4);
    expect(discoveryScore(0.5, 1)).toBeCloseTo(0.75);
    expect(discoveryScore(0.5, 0)).toBeCloseTo(0.5);
    expect(
      nextStepScore({ cooccurrence: 0.5, community: 1, recency: 0.5, importance: 0.2 }),
    ).toBeCloseTo(0.3 + 0.3 + 0.05 + 0.02);
    expect(nextStepScore({ cooccurrence: 1, community: 1, recency: 1, importance: 1 })).toBe(1);
  });

  test('scores are in [0, 1] for any graph', () => {
    const tools = ['a:one', 'a:two', 'b:three', 'cap:x', 'cap:y', 'no:such'].map(id);
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(anyTrace, { maxLength: 6 }),
        anyCapabilities,
        fc.constantFrom(...tools),
        fc.constantFrom(...tools),
        share,
        (traces, capabilities, one, other, semantic) => {
          const graph = new KnowledgeGraph();
          graph.apply(graphOf(traces));
          graph.setCapabilities(capabilities);
          const metrics = computeMetrics(graph);
          const alpha = localAlpha(graph, one);

          const scores = [
            alpha,
            hybridScore(semantic, relatednessTo(graph, [other])(one), alpha),
            capabilityScore(semantic, transitiveReliability(graph, one)),
            nextStepScore({
              cooccurrence: cooccurrenceOf(graph, one, other),
              community: semantic,
              recency: recencyOf(graph.node(other)?.lastAt ?? 0, 2_000_000, 1_000),
              importance: importanceOf(metrics, other),
            }),
            discoveryScore(overlapOf(tools, new Set([one])), semantic),
          ];

          for (const score of scores) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe('what scores are made of', () => {
  test('reliability is the observed success rate, mixed with a prior until enough was seen', () => {
    const graph = new KnowledgeGraph();
    graph.apply(graphOf([aTrace(['a:x', '!a:x', 'a:x', '!a:x', 'a:x'])]));

    expect(reliabilityOf(graph, id('a:x'))).toBeCloseTo((3 + 0.9 * 5) / 10);
    expect(reliabilityOf(graph, id('no:such'))).toBeCloseTo(0.9);
  });

  test('a capability is as reliable as the weakest of its contents and of the results it uses', () => {
    const graph = new KnowledgeGraph();
    const fails = Array.from({ length: 5 }, () => aTrace(['!a:weak', aCall('cap:deep')]));
    graph.apply(graphOf(fails));
    graph.setCapabilities([
      aChain('deep', ['a:weak']),
      aChain('outer', ['b:y', 'cap:deep']),
      aChain('other', ['b:y']),
    ]);

    expect(transitiveReliability(graph, id('cap:outer'))).toBeCloseTo(0.45);
    expect(transitiveReliability(graph, id('cap:other'))).toBeCloseTo(0.9);

    graph.apply(edgesDelta(['cap:deep', 'cap:other', 'dependency', 1]));
    expect(transitiveReliability(graph, id('cap:other'))).toBeCloseTo(0.45);
  });

  test('co-occurrence is the share of executions in which one tool followed the other', () => {
    const graph = new KnowledgeGraph();
    graph.apply(graphOf([aTrace(['a:x', 'b:y']), aTrace(['a:x', 'b:y']), aTrace(['a:x', 'c:z'])]));

    expect(cooccurrenceOf(graph, id('a:x'), id('b:y'))).toBeCloseTo(2 / 3);
    expect(cooccurrenceOf(graph, id('b:y'), id('a:x'))).toBe(0);
    expect(cooccurrenceOf(graphWith(['a:x', 'b:y', 'sequence']), id('a:x'), id('b:y'))).toBe(0);
  });

  test('recency halves with each half-life, and is zero for a tool that was never used', () => {
    expect(recencyOf(1_000, 1_000, 60)).toBe(1);
    expect(recencyOf(1_000, 1_120, 60)).toBeCloseTo(0.25);
    expect(recencyOf(0, 1_000, 60)).toBe(0);
  });

  test('overlap and share in a cluster count each tool once', () => {
    const tools = ['a:x', 'a:x', 'b:y', 'c:z'].map(id);
    const clusters = new Map([
      [id('a:x'), 0],
      [id('b:y'), 0],
      [id('c:z'), 1],
    ]);

    expect(overlapOf(tools, new Set([id('a:x')]))).toBeCloseTo(1 / 3);
    expect(overlapOf([], new Set())).toBe(0);
    expect(shareInCluster(clusters, tools, [id('a:x')])).toBeCloseTo(2 / 3);
    expect(shareInCluster(clusters, tools, [id('no:such')])).toBe(0);
  });
});
