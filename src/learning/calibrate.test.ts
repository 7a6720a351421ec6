import { describe, expect, test } from 'vitest';

import { examplesOf, noPause } from '../../test/helpers/examples.js';
import { COLD_MODEL, defaultCalibration, MEMORY_MODEL } from '../ranking/model/model.js';
import { calibrate, outcomesOf, probabilityOf } from './calibrate.js';

const { weights } = MEMORY_MODEL;
const prior = defaultCalibration(500);
const options = { prior, pause: noPause };

/** How far probabilities are from what happened, on average over all shown. */
function gap(examples: Parameters<typeof outcomesOf>[0][], calibration: typeof prior): number {
  const outcomes = examples.flatMap((one) => outcomesOf(one, weights));
  const excess = outcomes.map(
    ({ score, rival, isRight }) => probabilityOf(score, rival, calibration) - (isRight ? 1 : 0),
  );
  return Math.abs(excess.reduce((sum, one) => sum + one, 0) / outcomes.length);
}

describe('calibrate', () => {
  test('calibration moves probabilities closer to how often such candidates served', async () => {
    const examples = [...examplesOf({ count: 200, telling: { vote: 0.6, words: 1 } })];

    const fitted = await calibrate(examples, weights, options);

    expect(gap(examples, fitted)).toBeLessThan(Math.max(0.02, gap(examples, prior) / 2));
  });

  test('calibration barely changes after a few requests that were all answered correctly', async () => {
    const few = examplesOf({ count: 9, telling: { vote: 1, words: 2 } });

    const fitted = await calibrate(few, weights, options);

    expect(Math.abs(fitted.score - prior.score)).toBeLessThan(0.1 * prior.score);
    expect(Math.abs(fitted.lead - prior.lead)).toBeLessThan(0.25 * prior.lead);
  });

  test('calibration without examples returns the prior', async () => {
    expect(await calibrate([], weights, options)).toEqual(prior);
  });

  test.each([1, 3, 10, 30])(
    'calibration of scores %d times as large is finite and never punishes a better score',
    async (times) => {
      const examples = examplesOf({ count: 60, telling: { vote: 0.6 }, misleading: { words: 1 } });

      const { bias, score, lead } = await calibrate(
        examples,
        weights.map((weight) => weight * times),
        options,
      );

      expect([bias, score, lead].every((part) => Number.isFinite(part))).toBe(true);
      expect(Math.min(score, lead)).toBeGreaterThanOrEqual(0);
    },
  );
});

test('outcomesOf counts only the ten candidates shown and gives each its best rival', () => {
  const [example] = examplesOf({ count: 1, telling: { words: 5 } });
  const twice = {
    ...example!,
    candidates: [...example!.candidates, ...example!.candidates],
    isRight: [...example!.isRight, ...example!.isRight],
  };

  const outcomes = outcomesOf(twice, COLD_MODEL.weights);

  expect(outcomes).toHaveLength(10);
  expect(outcomes[0]).toMatchObject({ isRight: true, rival: outcomes[1]!.score });
  expect(outcomes[5]!.rival).toBe(outcomes[0]!.score);
  expect(outcomesOf({ ...twice, candidates: [], isRight: [] }, COLD_MODEL.weights)).toEqual([]);
});
