import { expect, test } from 'vitest';

import { wordsOfNames } from './words-of-names.js';

test('wordsOfNames gives the first and the last word of a column of names', () => {
  const parts = wordsOfNames([{ path: '~csv.name', values: ['Ann Collins', 'Mary Jane Reyes'] }]);

  expect(parts).toEqual([
    { path: '~csv.name#first', values: ['Ann', 'Mary'] },
    { path: '~csv.name#last', values: ['Collins', 'Reyes'] },
  ]);
});

test('wordsOfNames leaves out columns that hold anything but names', () => {
  const columns = [
    { path: 'a', values: ['Ann Collins', 'report.pdf'] },
    { path: 'b', values: [1, 2] },
    { path: 'c', values: ['Ann Collins'] },
  ];

  expect(wordsOfNames(columns)).toEqual([]);
});
