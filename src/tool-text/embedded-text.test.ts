import { expect, test } from 'vitest';

import { contentHash, toolText } from './embedded-text.js';

const inputSchema = { type: 'object' } as const;

test.each([
  ['create_issue', 'create issue'],
  ['getHTTPStatus-v2', 'get HTTP Status v2'],
  ['fs.readFile', 'fs read File'],
  ['übersetzeText', 'übersetze Text'],
])('the name %s is put into words', (name, words) => {
  expect(toolText({ name, inputSchema })).toBe(words);
});

test('a title goes before the name, and white space is collapsed', () => {
  const description = '  Sends\n\n  a message. ';

  expect(toolText({ name: 'x1', title: 'Send  mail', description, inputSchema })).toBe(
    'Send mail: Sends a message.',
  );
  expect(toolText({ name: 'x1', annotations: { title: 'Mail' }, title: ' ', inputSchema })).toBe(
    'Mail',
  );
});

test('a long description is cut between words and never inside a character', () => {
  const words = toolText({ name: 'a', description: 'word '.repeat(1000), inputSchema });
  const faces = toolText({ name: 'a', description: `x${'😀'.repeat(1000)}`, inputSchema });

  expect(words.length).toBeLessThanOrEqual(603);
  expect(words.endsWith(' word')).toBe(true);
  expect(faces).not.toMatch(/[\uD800-\uDBFF]$/);
});

test('the hash is the SHA-256 of the text', () => {
  expect(contentHash('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
