import { expect, test } from 'vitest';

import { describeImported } from './file.js';

test('describeImported shows the outcome and the name of each capability', () => {
  const lines = describeImported({
    outcomes: [
      { kind: 'imported', from: 'a', name: 'a' },
      { kind: 'imported', from: 'b', name: 'b2' },
      { kind: 'known', from: 'c', name: 'd' },
      { kind: 'refused', from: '\u001B[2J', reason: 'its name cannot be called' },
    ],
    isStored: true,
  });

  expect(lines).toEqual([
    'a: imported',
    'b: imported as b2',
    'c: known already as d',
    String.raw`\u{1b}[2J: refused: its name cannot be called`,
  ]);
});

test('describeImported says when the file is empty and when nothing can be stored', () => {
  expect(describeImported({ outcomes: [], isStored: false })).toEqual([
    'The file holds no capability.',
    'The store is not available: this is known until the daemon ends.',
  ]);
});
