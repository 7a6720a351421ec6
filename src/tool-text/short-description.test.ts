import { expect, test } from 'vitest';

import { shortDescription } from './short-description.js';

const described = (description: string, title?: string) => ({
  name: 'tool',
  description,
  inputSchema: {},
  ...(title && { title }),
});

test.each([
  ['Reads a file. Then more.', 'Reads a file'],
  ['Reads e.g. a file.txt of v1.2! More.', 'Reads e.g. a file.txt of v1.2'],
  ['## Reads\n\n  a `file`', 'Reads a file'],
  ['Reads a very long description that goes on and on', 'Reads a very long description…'],
  ['', ''],
])('%j becomes %j', (description, short) => {
  expect(shortDescription(described(description), 33)).toBe(short);
});

test('falls back to the title', () => {
  expect(shortDescription(described(' ', 'File reader'), 40)).toBe('File reader');
});
