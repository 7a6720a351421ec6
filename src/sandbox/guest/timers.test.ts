import fc from 'fast-check';
import { expect, test } from 'vitest';

import { capturePrimordials } from './primordials.js';
import { makeTimers } from './timers.js';

test('timers go off by due time, then by the order they were set; cleared ones never', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ ms: fc.integer({ min: 1, max: 20 }), isCleared: fc.boolean() })),
      (wanted) => {
        const timers = makeTimers(capturePrimordials(), () => 0);
        const fired: number[] = [];
        const ids = wanted.map(({ ms }, i) => timers.globals.setTimeout(() => fired.push(i), ms));
        for (const [i, { isCleared }] of wanted.entries())
          if (isCleared) timers.globals.clearTimeout(ids[i]);

        while (timers.nextDue() !== undefined) timers.fire(() => {});

        const expected = wanted
          .map(({ ms, isCleared }, i) => ({ ms, isCleared, i }))
          .filter(({ isCleared }) => !isCleared)
          .toSorted((a, b) => a.ms - b.ms || a.i - b.i);
        expect(fired).toEqual(expected.map(({ i }) => i));
      },
    ),
  );
});

test('an interval goes off again and again until it is cleared, also by itself', () => {
  const timers = makeTimers(capturePrimordials(), () => 0);
  const dues: (number | undefined)[] = [];
  const id = timers.globals.setInterval(() => {
    if (dues.length === 3) timers.globals.clearInterval(id);
  }, 5);

  while (timers.nextDue() !== undefined) {
    dues.push(timers.nextDue());
    timers.fire(() => {});
  }

  expect(dues).toEqual([5, 10, 15]);
});
