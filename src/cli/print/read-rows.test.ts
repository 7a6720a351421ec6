import { expect, test } from 'vitest';

import { parseRows, partsOf } from './read-rows.js';

test('rows and problems carry the line an editor shows', () => {
  const { rows, problems } = parseRows('{"a":1}\r\n\n{oops\n[2]\n');

  expect(rows).toEqual([
    { line: 1, value: { a: 1 } },
    { line: 4, value: [2] },
  ]);
  expect(problems).toEqual([{ line: 3, problem: expect.stringContaining('not JSON') as string }]);
});

test('parts hold every row once, and one that is too long by itself', () => {
  const rows = ['a', 'bb', 'c'.repeat(50), 'd'].map((value, at) => ({ line: at + 1, value }));

  const parts = [...partsOf(rows, 10)];

  expect(parts.map((part) => part.map(({ line }) => line))).toEqual([[1, 2], [3], [4]]);
  expect([...partsOf([], 10)]).toEqual([]);
});
