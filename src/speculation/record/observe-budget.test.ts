import { expect, test } from 'vitest';

import { ObserveBudget } from './observe-budget.js';

test('a flood of calls is observed at a bounded rate, and a pause restores the budget', () => {
  let time = 0;
  const budget = new ObserveBudget(() => time);
  const observedOf = (calls: number, everyMs: number) =>
    Array.from({ length: calls }, () => {
      time += everyMs;
      return budget.take();
    }).filter(Boolean).length;

  expect(observedOf(200, 0)).toBe(200);
  expect(observedOf(10_000, 0.1)).toBe(25);
  time += 60_000;

  expect(observedOf(5_000, 0)).toBe(200);
});
