import { expect, test } from 'vitest';

import { jsonText } from './print.js';

test('JSON holds no character a terminal obeys and still says the same', () => {
  const value = { text: 'a\u001B[2K\u007F\u009B1A\u202E\u2028\u{E0041}é😀' };

  const text = jsonText(value);

  expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(text)).toEqual(value);
});
