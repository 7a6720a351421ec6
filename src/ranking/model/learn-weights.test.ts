import { expect, test } from 'vitest';

import { examplesOf, noPause } from '../../../test/helpers/examples.js';
import { meanQuality, qualityOf } from '../../learning/quality.js';
import { namedSignals, signalValues } from '../signals.js';
import { type Example, learnWeights } from './learn-weights.js';
import { MEMORY_MODEL } from './model.js';

const prior = MEMORY_MODEL.weights;
const learn = (examples: readonly Example[]) => learnWeights(examples, { prior, pause: noPause });

test('an informative signal gains weight, a misleading one loses it, and rankings improve', async () => {
  const examples = examplesOf({ count: 60, telling: { vote: 0.5 }, misleading: { near: 2 } });

  const learned = await learn(examples);

  const [before, after] = [namedSignals(prior), namedSignals(learned)];
  expect(after.vote).toBeGreaterThan(before.vote);
  expect(after.near).toBeLessThan(before.near);
  const quality = (weights: typeof prior) =>
    meanQuality(examples.map((one) => qualityOf(one, weights)));
  expect(quality(learned).first).toBeGreaterThan(Math.max(0.9, quality(prior).first));
});

test('weights stay unchanged if the examples are uninformative', async () => {
  const [one] = examplesOf({ count: 1, telling: {} });
  const all = { ...one!, isRight: one!.isRight.map(() => true) };
  const none = { ...one!, isRight: one!.isRight.map(() => false) };

  expect(await learn([])).toEqual(prior);
  expect(await learn([all, none, { ...none, candidates: [], isRight: [] }])).toEqual(prior);
});

test('weights that PML fixes by design are not learned', async () => {
  const examples = examplesOf({ count: 40, telling: { named: 1, reliability: 1, vote: 1 } });

  const { named, reliability } = namedSignals(await learn(examples));

  const before = namedSignals(prior);
  expect([named, reliability]).toEqual([before.named, before.reliability]);
});

test('weights move less with few examples than with many', async () => {
  const moved = async (count: number) => {
    const learned = await learn(examplesOf({ count, telling: { vote: 0.5 } }));
    return Math.hypot(...learned.map((weight, at) => weight - prior[at]!));
  };

  expect(await moved(2)).toBeLessThan(await moved(80));
});

test('learnWeights is deterministic and finite, and pauses at every step', async () => {
  const huge = { ...examplesOf({ count: 1, telling: {} })[0]!, group: 'huge' };
  const examples = [
    ...examplesOf({ count: 20, telling: { vote: 1 } }),
    { ...huge, candidates: huge.candidates.map(() => signalValues({ words: 1e6 })) },
  ];
  let pauses = 0;

  const first = await learnWeights(examples, { prior, pause: async () => void pauses++ });

  expect(first).toEqual(await learn(examples));
  expect(first.every((weight) => Number.isFinite(weight))).toBe(true);
  expect(pauses).toBe(200);
});
