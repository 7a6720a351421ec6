import { expect, test } from 'vitest';

import { parseArgs } from './args.js';

test('arguments are a JSON object', () => {
  expect(parseArgs('{"path": "a.txt"}')).toEqual({ path: 'a.txt' });
});

test.each(['[1]', '"text"', 'null', 'path=a.txt', ''])('%j is refused with an example', (text) => {
  expect(() => parseArgs(text)).toThrow(/Give a JSON object: '\{/);
});
