import { setTimeout as delay } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { takeLoopPauses } from './loop-pauses.js';

test('a loop that is held shows a pause once', async () => {
  takeLoopPauses();
  await delay(5);
  const until = performance.now() + 60;
  while (performance.now() < until);
  await delay(5);

  const { longestMs, looks } = takeLoopPauses();

  expect(longestMs).toBeGreaterThan(50);
  expect(looks).toBeGreaterThan(0);
  expect(takeLoopPauses()).toEqual({ longestMs: 0, p999Ms: 0, looks: 0 });
});
