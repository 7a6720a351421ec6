import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import { runDetails, taskInfo } from '../../../test/helpers/run-details.js';
import { describeRunTable } from './describe-table.js';

const table = (runs: Parameters<typeof describeRunTable>[0], columns: number) =>
  describeRunTable(runs, columns).map((line) => stripVTControlCharacters(line));

test('a run is a row with its state, how far it is, when it began and what it is for', () => {
  const run = runDetails([taskInfo('a'), taskInfo('b', { status: 'needs_approval' })], {
    status: 'needs_approval',
    intent: 'tidy up',
  });

  const [head, row] = table([run], 120);

  expect(head).toMatch(/^run +status +tasks +started +took +what$/);
  expect(row).toMatch(/^run_abcdefghijkl +needs approval +1\/2 +2026-.{14} +1\.2 s +tidy up$/);
});

test('the intent gets what is left of the width and cannot paint the terminal', () => {
  const run = runDetails([taskInfo('a')], { intent: `\u001B[31m${'x'.repeat(500)}` });

  const [, row = ''] = table([run], 120);

  expect(row).toHaveLength(120);
  expect(row).toContain(String.raw`\u{1b}[31mxxx`);
  expect(row.endsWith('…')).toBe(true);
});
