import { describe, expect, test } from 'vitest';

import { resultColumns } from './columns.js';

const columnsOf = (output: Parameters<typeof resultColumns>[0]) =>
  Object.fromEntries(resultColumns(output).map(({ path, values }) => [path, values]));

describe('resultColumns', () => {
  test('items of a list give one column for each field', () => {
    const output = [
      { id: 1, owner: { name: 'a' } },
      { id: 2, owner: { name: 'b' } },
    ];

    expect(columnsOf(output)).toEqual({ '$[*].id': [1, 2], '$[*].owner.name': ['a', 'b'] });
  });

  test('JSON behind a line of words is read as JSON', () => {
    expect(columnsOf('Users (page 1):\n\n[{"id": 7}]')).toMatchObject({ '$[*].id': [7] });
  });

  test('a listing gives the names of files and folders', () => {
    const text = '[FILE] a.md\n[FILE] b c.md\n[DIR] old';

    expect(columnsOf(text)).toMatchObject({ '~[FILE]': ['a.md', 'b c.md'], '~[DIR]': ['old'] });
  });

  test('labels, list items, tables, paths and links are found in text', () => {
    const text = [
      'Email ID: 7',
      '- academic_warning (Project: x)',
      "Row 1: {'table_name': 'scores_2501'}",
      'Attachment saved to: /work/a.py, see https://example.com/x.',
    ].join('\n');

    expect(columnsOf(text)).toMatchObject({
      '~email id': ['7'],
      '~-': ['academic_warning'],
      "~'table_name'": ['scores_2501'],
      '~path': ['/work/a.py'],
      '~link': ['https://example.com/x'],
    });
    expect(columnsOf('id,name\n1,Ann\n2,Bob')).toMatchObject({ '~csv.name': ['Ann', 'Bob'] });
  });

  test('long texts and nothing give no column', () => {
    expect(columnsOf(['x'.repeat(1_000)])).toEqual({});
    expect(columnsOf(undefined)).toEqual({});
  });
});
