import { expect, test } from 'vitest';

import { findSecret } from './secret-text.js';

test('findSecret finds the password of an address', () => {
  expect(findSecret('at redis://ada:pw@cache/0 now')).toEqual({ start: 3, end: 25 });
});

test.each(['a.', 'a-', 'a://', 'a://x:', 'Bearer '])(
  'findSecret takes about as long a character for a long text of %j as for a short one',
  (unit) => {
    const msOf = (length: number) => {
      const text = unit.repeat(length / unit.length);
      const began = process.cpuUsage();
      findSecret(text);
      return process.cpuUsage(began).user / 1_000;
    };
    // Time of our own and the best of some tries: others work on the same machine.
    const bestMs = (length: number) => Math.min(...[1, 2, 3].map(() => msOf(length)));

    // Quadratic work would be a hundred times as much.
    expect(bestMs(100_000)).toBeLessThan(40 * Math.max(bestMs(10_000), 5));
  },
);
