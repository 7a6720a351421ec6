import { expect, test } from 'vitest';

import { insertKey } from './insert-key.js';

test.each([
  [
    'beside one-line entries',
    '{\n  "s": {\n    "a": { "x": 1 } // one\n  }\n}\n',
    '{\n  "s": {\n    "a": { "x": 1 }, // one\n    "b": {\n      "y": 2\n    }\n  }\n}\n',
  ],
  [
    'after a trailing comma',
    '{\n\t"s": {\n\t\t"a": 1,\n\t\t// end\n\t},\n}\n',
    '{\n\t"s": {\n\t\t"a": 1,\n\t\t"b": {\n\t\t\t"y": 2\n\t\t},\n\t\t// end\n\t},\n}\n',
  ],
  [
    'with the line ends of the file',
    '{\r\n  "s": {\r\n    "a": 1\r\n  }\r\n}',
    '{\r\n  "s": {\r\n    "a": 1,\r\n    "b": {\r\n      "y": 2\r\n    }\r\n  }\r\n}',
  ],
])('insertKey adds a key %s and changes nothing else', (_, text, edited) => {
  expect(insertKey(text, ['s', 'b'], { y: 2 })).toBe(edited);
});

test.each([
  ['an object in one line', '{ "s": { "a": 1 } }'],
  ['an empty object', '{\n  "s": {}\n}'],
  ['a key that is there', '{\n  "s": {\n    "b": 1\n  }\n}'],
  ['no such object', '{}'],
])('insertKey leaves %s to others', (_, text) => {
  expect(insertKey(text, ['s', 'b'], 1)).toBeUndefined();
});
