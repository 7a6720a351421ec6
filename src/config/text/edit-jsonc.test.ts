import { expect, test } from 'vitest';

import { editJsonc } from './edit-jsonc.js';

test('a JSONC edit keeps comments, trailing commas, indentation and line ends', () => {
  const text = '{\r\n\t// mine\r\n\t"a": 1, /* x */\r\n\t"s": { "old": {} },\r\n}\r\n';

  const edited = editJsonc(text, [{ path: ['s'], value: { pml: { command: 'c' } } }]);

  expect(edited).toBe(
    '{\r\n\t// mine\r\n\t"a": 1, /* x */\r\n\t"s": {\r\n\t\t"pml": {\r\n\t\t\t"command": "c"\r\n\t\t}\r\n\t},\r\n}\r\n',
  );
});

test('a JSONC edit starts an object in a blank text', () => {
  expect(JSON.parse(editJsonc(' \n', [{ path: ['a', 'b'], value: 1 }]))).toEqual({ a: { b: 1 } });
});
