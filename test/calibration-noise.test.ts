import { expect, test } from 'vitest';

import { calibrationNoise } from '../bench/data/calibration-noise.js';
import { seededRandom } from '../bench/data/seeded-random.js';

const claims = (count: number, confidence: number) =>
  Array.from({ length: count }, () => ({ confidence }));

test('claims of one kind err by the mean deviation of their number', () => {
  const { expected, most } = calibrationNoise(claims(100, 0.5), seededRandom(1));

  // The mean deviation of a share is 0.8 of its standard deviation, which is 0.05 here.
  expect(expected).toBeCloseTo(0.04, 2);
  expect(most).toBeGreaterThan(expected);
  expect(most).toBeLessThan(0.13);
});

test('more claims of a kind, and surer ones, err less', () => {
  const few = calibrationNoise(claims(20, 0.5), seededRandom(1)).expected;

  expect(calibrationNoise(claims(200, 0.5), seededRandom(1)).expected).toBeLessThan(few / 2);
  expect(calibrationNoise(claims(20, 0.99), seededRandom(1)).expected).toBeLessThan(few / 2);
  expect(calibrationNoise(claims(20, 1), seededRandom(1)).expected).toBe(0);
});
