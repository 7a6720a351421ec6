import { expect, test } from 'vitest';

import { CountRow } from './count-row.js';

test('a count row keeps its counts sorted by key while keys come and go', () => {
  const row = new CountRow();
  for (const key of [9, 2, 7, 2, 5, 1, 8, 9]) row.add(key, 1);
  for (const key of [7, 9, 1]) row.add(key, -1);

  const seen: [number, number][] = [];
  row.forEach((key, count) => seen.push([key, count]));

  expect(seen).toEqual([
    [2, 2],
    [5, 1],
    [8, 1],
    [9, 1],
  ]);
  expect([row.get(2), row.get(7), row.get(100)]).toEqual([2, 0, 0]);
});

test('a count row ignores the removal of a key it does not have', () => {
  const row = new CountRow();

  row.add(3, -1);

  expect(row.size).toBe(0);
});
