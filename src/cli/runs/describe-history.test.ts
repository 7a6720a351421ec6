import { expect, test } from 'vitest';

import { describeRunHistory } from './describe-history.js';

test('the history of a run tells who decided and who said what, in order', () => {
  const lines = describeRunHistory({
    decisions: [{ atMs: 2_000, by: 'human', kind: 'reject', tasks: ['pay'] }],
    messages: [
      { atMs: 2_000, by: 'human', text: 'too dear\u001B[2J' },
      { atMs: 1_000, text: 'noted by the run' },
    ],
  });

  expect(lines.slice(1).map((line) => line.trim().replace(/^\S+( m?s)?\s+/, ''))).toEqual([
    'noted by the run',
    'human: reject pay',
    String.raw`human says: too dear\u{1b}[2J`,
  ]);
});
