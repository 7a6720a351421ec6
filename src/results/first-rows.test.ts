import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { JsonValue } from '../core/index.js';
import { bytesOf } from './cut-text.js';
import { describeSize, firstRows } from './first-rows.js';
import { selectPath } from './select-path.js';

const rowsOf = (value: JsonValue, maxBytes = 100) =>
  firstRows(value, { characters: JSON.stringify(value).length, maxBytes });

test('first rows are valid JSON, whole, within the byte limit and equal to what their path selects', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { minLength: 1 }),
      fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 5 }), fc.jsonValue()),
      fc.integer({ min: 2, max: 300 }),
      (list, others, maxBytes) => {
        const value = { ...(others as Record<string, JsonValue>), list: list as JsonValue[] };

        const found = rowsOf(JSON.parse(JSON.stringify(value)) as JsonValue, maxBytes);

        if (!found) return;
        expect(bytesOf(JSON.stringify(found.rows))).toBeLessThanOrEqual(maxBytes);
        expect(selectPath(JSON.parse(JSON.stringify(value)) as JsonValue, found.path)).toEqual(
          found.rows,
        );
      },
    ),
  );
});

test('first rows come from the list that makes up most of the value', () => {
  const value = {
    many: Array.from({ length: 50 }, (_, index) => index),
    big: Array.from({ length: 20 }, (_, id) => ({ id, text: 'x'.repeat(30) })),
  };

  expect(rowsOf(value)).toMatchObject({
    path: 'big[0:2]',
    nextPath: 'big[2:4]',
    fieldPath: 'big[0:20].id',
    total: 20,
  });
});

test.each([
  ['no list', { a: 1 }],
  ['an empty list', []],
  ['a list of items that are too long', [{ a: 'x'.repeat(200) }]],
  ['a small list beside a long text', { tags: ['a'], text: 'x'.repeat(200) }],
  ['a list no path leads to', { 'a.b': Array.from({ length: 100 }, () => 1) }],
])('firstRows shows no rows of %s', (_what, value) => {
  expect(rowsOf(value)).toBeUndefined();
});

describe('the size', () => {
  test.each([
    [[1], '1 item'],
    [{ a: [1, 2], b: { c: [1, 2, 3] } }, '2 keys; b.c: 3 items, a: 2 items'],
    [{ a: 1 }, '1 key'],
    ['text', ''],
  ])('describeSize of %j is %j', (value, size) => {
    expect(describeSize(value as JsonValue)).toBe(size);
  });
});
