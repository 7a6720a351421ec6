import { expect, test } from 'vitest';

import { removeKey } from './remove-key.js';

test.each([
  [
    'the first of lines',
    '{\n  // one\n  "a": 1, // gone\n  // two\n  "b": 2\n}',
    '{\n  // one\n  // two\n  "b": 2\n}',
  ],
  ['the last of lines', '{\n  "b": 2, // kept\n  "a": { "x": 1 }\n}', '{\n  "b": 2 // kept\n}'],
  ['the last before a trailing comma', '{\n  "b": 2,\n  "a": 1,\n}', '{\n  "b": 2,\n}'],
  ['one of a single line', '{ "a": 1, "b": 2 }', '{  "b": 2 }'],
  ['the only one', '{\r\n  "a": 1\r\n}', '{\r\n}'],
  ['none', '{ "b": 2 }', '{ "b": 2 }'],
])('removeKey takes %s out and keeps every other byte', (_, text, left) => {
  expect(removeKey(text, ['a'])).toBe(left);
});
