import { expect, test } from 'vitest';

import { count, jsonText } from './print.js';

test('JSON holds no character a terminal obeys and still says the same', () => {
  const value = { text: 'a\u001B[2K\u007F\u009B1A\u202E\u2028\u{E0041}é😀' };

  const text = jsonText(value);

  expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(text)).toEqual(value);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1,000'],
  [1_234_567, '1,234,567'],
  [-12_345, '-12,345'],
  [1_234.5, '1,234.5'],
])('count groups the digits of %d', (value, text) => {
  expect(count(value)).toBe(text);
});
