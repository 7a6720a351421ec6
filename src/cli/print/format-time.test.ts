import { expect, test } from 'vitest';

import { formatMs, localTime } from './format-time.js';

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [59_940, '59.9 s'],
  [59_960, '1 min'],
  [200_000, '3 min 20 s'],
  [3_599_900, '60 min'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [50 * 3_600_000, '2 d 2 h'],
])('%d ms reads %s', (ms, text) => {
  expect(formatMs(ms)).toBe(text);
});

test('localTime pads months, days and hours', () => {
  expect(localTime(new Date(2026, 0, 2, 3, 4, 5).toISOString())).toBe('2026-01-02 03:04:05');
});
