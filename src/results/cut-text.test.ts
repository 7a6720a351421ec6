import fc from 'fast-check';
import { expect, test } from 'vitest';

import { beginning, bytesOf, cutAt } from './cut-text.js';

const anyText = fc.string({ unit: 'binary', maxLength: 200 });

test('beginning returns a prefix within the limit and splits no character', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 4, max: 100 }), (text, maxBytes) => {
      const head = beginning(text, maxBytes);

      expect(bytesOf(head)).toBeLessThanOrEqual(maxBytes);
      expect(text.startsWith(head)).toBe(true);
      expect(Buffer.from(head, 'utf8').toString('utf8')).toBe(head);
    }),
  );
});

test('beginning returns all plain text that fits', () => {
  expect(beginning('abcdef', 4)).toBe('abcd');
  expect(beginning('abc', 4)).toBe('abc');
});

test('cutAt moves a cut before a surrogate pair', () => {
  expect(cutAt('a😀b', 2)).toBe(1);
  expect(cutAt('a😀b', 3)).toBe(3);
});
