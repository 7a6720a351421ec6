import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { askedText, readable, splitNeeds } from './split-needs.js';

describe('one need', () => {
  test.each([
    '',
    '   \n\t ',
    'read a file',
    'read the file and write it back',
    'Read the file. Then send it to Anna.',
    '🦜🦜🦜',
    '\u0000\u0001\u001f',
    ', . ; : ! ?',
  ])('%j is not split', (request) => {
    expect(splitNeeds(request)).toEqual([]);
  });
});

describe('several needs', () => {
  test('a long list is split at its commas', () => {
    const request =
      'check my mail for the invoice, look the sender up in the address book, and book a meeting room';

    expect(splitNeeds(request)).toEqual([
      'check my mail for the invoice',
      'look the sender up in the address book',
      'book a meeting room',
    ]);
  });

  test('sentences and lines are split', () => {
    expect(splitNeeds('Read the inbox! Find the sender?\nBook a small room.')).toEqual([
      'Read the inbox',
      'Find the sender',
      'Book a small room',
    ]);
  });

  test('a part too short to stand alone joins the one before', () => {
    const needs = splitNeeds('Read the inbox now. Quickly. Find the sender there. Book a room.');

    expect(needs).toEqual(['Read the inbox now Quickly', 'Find the sender there', 'Book a room']);
  });

  test('the same need twice is one', () => {
    const needs = splitNeeds('Read the inbox. Find the sender. Read the inbox. Book a room.');

    expect(needs).toEqual(['Read the inbox', 'Find the sender', 'Book a room']);
  });

  test('encoded data is not part of any need', () => {
    const blob = 'QUJD'.repeat(500);
    const needs = splitNeeds(`Decode this text ${blob} . Store the result. Tell Anna about it.`);

    expect(needs).toHaveLength(3);
    expect(needs.join(' ')).not.toContain('QUJD');
    expect(readable(`look ${blob} here`)).toBe('look   here');
  });
});

test('any text gives at most 16 needs, all different, trimmed, with words of the text', () => {
  const parts = fc.constantFrom(
    'read',
    'the',
    'file',
    ', ',
    '. ',
    ' and ',
    '\n',
    ' — ',
    '😀',
    ': ',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(parts).map((all) => all.join(' ')),
      ),
      (request) => {
        const needs = splitNeeds(request);

        expect(needs.length).toBeLessThanOrEqual(16);
        expect(needs.length === 0 || needs.length >= 3).toBe(true);
        expect(new Set(needs).size).toBe(needs.length);
        for (const need of needs) expect(need).toBe(need.trim());
      },
    ),
  );
});

test.each([
  ['words', 'read the file, then write it. '.repeat(3_500)],
  ['one word', 'x'.repeat(100_000)],
  ['white space', ' '.repeat(100_000)],
  ['punctuation', ',. ;:!?-'.repeat(12_500)],
  ['dashes', '- '.repeat(50_000)],
  ['edges inside', `a${' ,'.repeat(50_000)}b`],
])('100 kB of %s are cut before they are read', (_, request) => {
  // Nothing behind the cut is split, so the answer is that of the start.
  expect(splitNeeds(request)).toEqual(splitNeeds(request.trim().slice(0, 4_000)));
  expect(readable(request).length).toBeLessThanOrEqual(4_000);
});

test('what stands behind encoded data is read', () => {
  expect(readable(`${'QUJD'.repeat(5_000)} decode it`)).toBe('decode it');
});

test.each(['a ', 'ab ', 'abc '])(
  'a cut after "%s" and faces never leaves half a character',
  (start) => {
    const half = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])/;

    expect(readable(start + '😀 '.repeat(2_000))).not.toMatch(half);
    expect(splitNeeds(start + 'read it. 😀 see that. '.repeat(300)).join()).not.toMatch(half);
  },
);

test.each([
  ['read /tmp/work-1/data/config.json.', 'read json file.'],
  ['read C:\\Users\\ann\\notes.txt and ~/docs/b.md', 'read txt file and md file'],
  ['list /root/pdf/', 'list pdf/'],
  [
    'see https://example.org/a/b.html of acme/shop, 1/2/3',
    'see https://example.org/a/b.html of acme/shop, 1/2/3',
  ],
])('what is asked for in %j has no folders: %j', (request, asked) => {
  expect(askedText(request)).toBe(asked);
});
