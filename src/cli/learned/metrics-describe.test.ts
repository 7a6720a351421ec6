import { expect, test } from 'vitest';

import type { RankingMetrics } from '../../control/index.js';
import { describeRankingMetrics } from './metrics-describe.js';

// oxlint-disable-next-line no-control-regex -- colours are control sequences
const plain = (lines: readonly string[]) => lines.join('\n').replaceAll(/\u001B\[\d+m/g, '');

const quality = { decisions: 30, hitAt1: 0.5, hitAt3: 0.75, mrr: 0.625, worked: 1, isEnough: true };
const model = { ...quality, model: 'cold', signals: ['words', 'cosine'] };

const METRICS: RankingMetrics = {
  last: 1_000,
  decisions: 30,
  enough: 20,
  algorithms: [{ ...quality, algorithm: 'discover', models: [model] }],
};

test('describeRankingMetrics shows hits by algorithm with the model that ranked them', () => {
  expect(plain(describeRankingMetrics(METRICS))).toBe(
    `30 decisions that a call followed.

                        decisions  Hit@1  Hit@3  MRR    worked  weighed by
tools found (discover)  30         50 %   75 %   0.625  100 %   cold: words, cosine`,
  );
});

test('describeRankingMetrics gives each model a row and escapes control characters in names', () => {
  const models = [model, { ...model, model: 'x\u001B[2J', signals: [] }];
  const algorithms = [{ ...quality, algorithm: 'discover' as const, models }];

  const text = plain(describeRankingMetrics({ ...METRICS, algorithms }));

  expect(text.split('\n')).toHaveLength(6);
  expect(text).not.toContain('\u001B');
});

test('describeRankingMetrics says when there are no decisions or too few', () => {
  const nothing = describeRankingMetrics({ ...METRICS, decisions: 0, algorithms: [] });
  const few = { ...quality, decisions: 3, isEnough: false, algorithm: 'next', models: [] } as const;

  expect(nothing[0]).toContain('Nothing to measure yet');
  expect(plain(describeRankingMetrics({ ...METRICS, algorithms: [few] }))).toContain(
    'Too few decisions of next: 3 of at least 20.',
  );
});

test.each([
  [0.9, 'overconfident'],
  [0.55, 'well calibrated'],
  [0.2, 'underconfident'],
])('plans that are right half of the time and %d sure are %s', (meanConfidence, judged) => {
  const calibration = { plans: 30, meanConfidence, right: 0.5 };
  const plans = {
    exactly: 0.5,
    partly: 0.25,
    notAtAll: 0.25,
    calibration,
    bands: [{ ...calibration, from: 0.5, to: 0.7 }],
  };
  const algorithms = [{ ...quality, algorithm: 'suggest' as const, models: [model], plans }];

  const text = plain(describeRankingMetrics({ ...METRICS, algorithms }));

  expect(text).toContain('Agents ran 50 % of the plans exactly, 25 % in part, 25 % not at all');
  expect(text).toContain(judged);
  expect(text).toMatch(/0\.50 to 0\.70 +30/);
});
