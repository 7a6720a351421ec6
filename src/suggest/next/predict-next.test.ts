import { expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import { evidenceWith } from '../../../test/helpers/suggest-evidence.js';
import { DEFAULT_MODELS } from '../learn/models.js';
import { NEXT_SIGNALS } from './next-signals.js';
import { predictNext } from './predict-next.js';

const serverTools = () => [];
const traces = [
  served('r1', 'x', ['a:find', 'a:read']),
  served('r2', 'x', ['a:find', 'a:read']),
  served('r3', 'x', ['a:find', 'a:drop']),
];
const evidence = evidenceWith({ traces, likely: { 'a:read': 0.2, 'a:drop': 0.2, 'a:other': 0.2 } });

test('predictNext puts the most frequent follower first, and all probabilities sum to 1', () => {
  const steps = predictNext([id('a:find')], evidence, {
    weights: DEFAULT_MODELS.next,
    serverTools,
    members: DEFAULT_MODELS.members,
  });

  expect(steps.map(({ tool }) => tool)).toEqual(['a:read', 'a:drop', 'a:other']);
  expect(steps.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 12);
  expect(Object.keys(steps[0]!.signals)).toEqual([...NEXT_SIGNALS]);
  expect(steps[0]!.signals['follows']).toBeGreaterThan(steps[1]!.signals['follows']!);
});

test('predictNext with zero weights makes all tools equally likely, ordered by name', () => {
  const weights = new Float64Array(NEXT_SIGNALS.length);

  const steps = predictNext([id('a:find')], evidence, {
    weights,
    serverTools,
    members: DEFAULT_MODELS.members,
  });

  expect(steps.map(({ tool }) => tool)).toEqual(['a:drop', 'a:other', 'a:read']);
  for (const { probability } of steps) expect(probability).toBeCloseTo(1 / 3, 12);
});

test('predictNext returns valid probabilities for weights of any size', () => {
  const weights = new Float64Array(NEXT_SIGNALS.length).fill(1e4);

  const steps = predictNext([id('a:find')], evidence, {
    weights,
    serverTools,
    members: DEFAULT_MODELS.members,
  });

  expect(steps[0]!.probability).toBeCloseTo(1, 12);
  expect(steps.at(-1)!.probability).toBe(0);
});

test('predictNext returns nothing before the first step', () => {
  expect(
    predictNext([], evidence, {
      weights: DEFAULT_MODELS.next,
      serverTools,
      members: DEFAULT_MODELS.members,
    }),
  ).toEqual([]);
});
