import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import type { CapabilityRow } from '../../control/index.js';
import { describeCapabilityTable } from './describe-table.js';

const tableOf = (rows: readonly CapabilityRow[], columns: number) =>
  describeCapabilityTable(rows, columns).map((line) => stripVTControlCharacters(line));

const row = (name: string, changes: Partial<CapabilityRow> = {}): CapabilityRow => ({
  name,
  status: 'active',
  isPinned: false,
  isOffered: true,
  uses: 1_200,
  successes: 900,
  reliability: 0.75,
  version: 3,
  description: 'does something that takes a long sentence to describe to whoever reads it',
  ...changes,
});

test('capability table has one row each, with the description cut to the remaining width', () => {
  const [head, first] = tableOf([row('backUp')], 80);

  expect(head).toMatch(/^name +status +uses +success +reliability +version +description$/);
  expect(first).toMatch(/^backUp +active +1,200 +75 % +75 % +3 +does something .*…$/);
  expect(first).toHaveLength(80);
});

test('capability table shows what is pinned, quarantined or not offered', () => {
  const lines = tableOf(
    [
      row('a', { isPinned: true }),
      row('b', { status: 'quarantined', isOffered: false }),
      row('c', { isOffered: false, uses: 0, successes: 0 }),
    ],
    120,
  );

  expect(lines[1]).toMatch(/^a +active, pinned /);
  expect(lines[2]).toMatch(/^b +quarantined /);
  expect(lines[3]).toMatch(/^c +not offered +0 +– /);
});

test('capability table escapes control characters of names and descriptions', () => {
  const text = describeCapabilityTable([row('\u001B]0;x', { description: '\u0007' })], 80).join('');

  expect(text).toContain(String.raw`\u{1b}]0;x`);
  expect(text).toContain(String.raw`\u{7}`);
});
