import { describe, expect, test } from 'vitest';

import { CALL_SIGNALS, callConfidence, type CallExample, fitConfidence } from './confidence.js';

const prior = new Float64Array(CALL_SIGNALS.length);
const example = (isStreak: boolean, isRight: boolean): CallExample => {
  const signals = new Float64Array(CALL_SIGNALS.length);
  signals[0] = 1;
  signals[CALL_SIGNALS.indexOf('streak')] = isStreak ? 1 : 0;
  return { signals, isRight };
};
const many = (count: number, one: CallExample) => Array.from({ length: count }, () => one);

describe('fitConfidence', () => {
  test('fitConfidence matches the observed success rate with many examples', () => {
    const examples = [
      ...many(900, example(true, true)),
      ...many(100, example(true, false)),
      ...many(200, example(false, true)),
      ...many(800, example(false, false)),
    ];

    const weights = fitConfidence(examples, prior);

    expect(callConfidence(example(true, true).signals, weights)).toBeCloseTo(0.9, 1);
    expect(callConfidence(example(false, true).signals, weights)).toBeCloseTo(0.2, 1);
  });

  test('fitConfidence changes weights little with few examples', () => {
    const weights = fitConfidence(many(3, example(true, true)), prior);

    expect(callConfidence(example(true, true).signals, weights)).toBeLessThan(0.7);
  });

  test('fitConfidence keeps the weights without examples', () => {
    expect(fitConfidence([], prior)).toEqual(prior);
  });
});
