import fc from 'fast-check';
import { expect, test } from 'vitest';

import { keptResults } from '../../test/helpers/kept-results.js';
import { asText } from '../core/index.js';
import type { KeptResults } from './kept-results.js';
import { loadResult, readResult } from './read-result.js';

const pageOf = async (args: Parameters<typeof readResult>[0], kept: KeptResults) =>
  asText((await readResult(args, kept)).content[0]?.['text']);

/** Reads page by page, as the hint at the end of each page says. */
async function readAll(handle: string, limit: number, kept: KeptResults): Promise<string> {
  let whole = '';
  for (let offset = 0; ;) {
    const page = await pageOf({ handle, offset, limit }, kept);
    const hint = /\n\[\d+ of \d+; go on with "offset": (\d+)\]$/.exec(page);
    whole += hint ? page.slice(0, hint.index) : page;
    if (!hint) return whole;
    offset = Number(hint[1]);
  }
}

test('pages of a result add up to the whole, character for character', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.integer({ min: 1, max: 40 }),
      async (text, limit) => {
        const kept = keptResults();
        const handle = kept.keep({ text, mimeType: 'text/plain' });

        expect(await readAll(handle, limit, kept)).toBe(text);
      },
    ),
  );
});

test('the error for an unknown handle says what to do', async () => {
  const reading = pageOf({ handle: 'r_nothing' }, keptResults());

  await expect(reading).rejects.toThrow(/Run the call again/);
});

test.each([
  [{}, /needs "handle"/],
  [{ handle: 'r', offset: -1 }, /"offset" must be a whole number/],
  [{ handle: 'r', limit: 'all' }, /"limit" must be a whole number/],
])('readResult names wrong arguments %j', async (args, message) => {
  await expect(readResult(args, keptResults())).rejects.toThrow(message);
});

test('readResult pages through the selection of a path', async () => {
  const kept = keptResults();
  const handle = kept.keep({ text: '{"rows":[{"n":"a"},{"n":"b"},{"n":"c"}]}', mimeType: 'x' });

  expect(await pageOf({ handle, path: 'rows[1:3].n' }, kept)).toBe('["b","c"]');
});

test('readResult refuses a path into plain text', async () => {
  const kept = keptResults();
  const handle = kept.keep({ text: 'just words', mimeType: 'text/plain' });

  await expect(readResult({ handle, path: 'a' }, kept)).rejects.toThrow(/use "offset" and "limit"/);
});

test('loadResult loads JSON as data and text as text', async () => {
  const kept = keptResults();
  const [rows, text] = [
    kept.keep({ text: '[1,{"a":null}]', mimeType: 'application/json' }),
    kept.keep({ text: '[1', mimeType: 'text/plain' }),
  ];

  expect((await loadResult({ handle: rows }, kept)).structuredContent).toEqual([1, { a: null }]);
  expect((await loadResult({ handle: text }, kept)).structuredContent).toBe('[1');
});
