import { expect, test } from 'vitest';

import { Breaker } from './breaker.js';

const error = new Error('no');

test('the first failures cost nothing, then each doubles the pause up to a minute', () => {
  const breaker = new Breaker(() => 0);
  const pauses = Array.from({ length: 12 }, () => {
    breaker.failed(error);
    return breaker.pauseMs;
  });

  expect(pauses.slice(0, 6)).toEqual([0, 0, 1_000, 2_000, 4_000, 8_000]);
  expect(pauses.at(-1)).toBe(60_000);
});

test('the pause runs out, and a success forgets it all', () => {
  let now = 0;
  const breaker = new Breaker(() => now);
  for (let i = 0; i < 3; i++) breaker.failed(error);

  now = 999;
  expect(breaker.pauseMs).toBe(1);
  now = 5_000;
  expect(breaker.pauseMs).toBe(0);
  expect(breaker.lastError).toBe(error);

  breaker.succeeded();
  breaker.failed(error);
  expect(breaker.pauseMs).toBe(0);
});
