import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { asText } from '../core/index.js';
import { KeptResults } from './kept-results.js';
import { readResult, select } from './read-result.js';

const pageOf = (args: Parameters<typeof readResult>[0], kept: KeptResults) =>
  asText(readResult(args, kept).content[0]?.['text']);

/** Reads page by page, as the hint at the end of each says, until there is none. */
function readAll(handle: string, limit: number, kept: KeptResults): string {
  let whole = '';
  for (let offset = 0; ;) {
    const page = pageOf({ handle, offset, limit }, kept);
    const hint = /\n\[\d+ of \d+; go on with "offset": (\d+)\]$/.exec(page);
    whole += hint ? page.slice(0, hint.index) : page;
    if (!hint) return whole;
    offset = Number(hint[1]);
  }
}

test('pages give the whole back, character for character', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 1, max: 40 }),
      (text, limit) => {
        const kept = new KeptResults(1e6);

        expect(readAll(kept.keep({ text, mimeType: 'text/plain' }), limit, kept)).toBe(text);
      },
    ),
  );
});

test('an unknown handle says what to do', () => {
  expect(() => pageOf({ handle: 'r_nothing' }, new KeptResults(1))).toThrow(/Run the call again/);
});

test.each([
  [{}, /needs "handle"/],
  [{ handle: 'r', offset: -1 }, /"offset" must be a whole number/],
  [{ handle: 'r', limit: 'all' }, /"limit" must be a whole number/],
])('wrong arguments %j are named', (args, message) => {
  expect(() => readResult(args, new KeptResults(1))).toThrow(message);
});

test('pages through what a path selects', () => {
  const kept = new KeptResults(1e6);
  const handle = kept.keep({ text: '{"rows":[{"n":"a"},{"n":"b"},{"n":"c"}]}', mimeType: 'x' });

  expect(pageOf({ handle, path: 'rows[1:3].n' }, kept)).toBe('["b","c"]');
});

describe('select', () => {
  const text = JSON.stringify({
    rows: [
      { id: 1, tags: ['x', 'y'] },
      { id: 2, tags: [] },
    ],
    'a b': 0,
  });

  test.each([
    ['rows[0].id', 1],
    ['rows.1.id', 2],
    ['rows[0:1]', [{ id: 1, tags: ['x', 'y'] }]],
    ['rows[:].id', [1, 2]],
    ['rows[0].tags[1]', 'y'],
    ['a b', 0],
    ['', JSON.parse(text)],
  ])('follows %j', (path, value) => {
    expect(select(text, path)).toEqual(value);
  });

  test('says what is there when nothing is found', () => {
    expect(() => select(text, 'row[0]')).toThrow(/there is keys rows, a b/);
    expect(() => select(text, 'rows[7]')).toThrow(/a list of 2/);
  });

  test('refuses a path into plain text', () => {
    expect(() => select('just words', 'a')).toThrow(/use "offset" and "limit"/);
  });
});
