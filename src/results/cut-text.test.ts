import fc from 'fast-check';
import { expect, test } from 'vitest';

import { beginning, bytesOf, cutAt } from './cut-text.js';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

test('a beginning fits, is a prefix, and halves no character', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 4, max: 100 }), (text, maxBytes) => {
      const head = beginning(text, maxBytes);

      expect(bytesOf(head)).toBeLessThanOrEqual(maxBytes);
      expect(text.startsWith(head)).toBe(true);
      expect(Buffer.from(head, 'utf8').toString('utf8')).toBe(head);
    }),
  );
});

test('takes all that fits of plain text', () => {
  expect(beginning('abcdef', 4)).toBe('abcd');
  expect(beginning('abc', 4)).toBe('abc');
});

test('moves a cut before a character of two halves', () => {
  expect(cutAt('a😀b', 2)).toBe(1);
  expect(cutAt('a😀b', 3)).toBe(3);
});
