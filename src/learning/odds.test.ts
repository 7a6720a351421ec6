import { expect, test } from 'vitest';

import { logOdds, sigmoid } from './odds.js';

test('log-odds and probabilities are each other’s opposite between the bounds', () => {
  expect(logOdds(0.8)).toBeCloseTo(Math.log(4), 12);
  expect(sigmoid(Math.log(4))).toBeCloseTo(0.8, 12);
  expect(sigmoid(0)).toBe(0.5);
});

test('nothing is certain', () => {
  expect(logOdds(0)).toBeCloseTo(-Math.log(99), 12);
  expect(logOdds(1)).toBeCloseTo(Math.log(99), 12);
  expect(logOdds(0, { least: 0.2 })).toBeCloseTo(-Math.log(4), 12);
  expect(logOdds(1, { most: 0.8 })).toBeCloseTo(Math.log(4), 12);
});
