import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { countTokens } from './stored-counts.js';

const newFolder = () => mkdtempSync(join(tmpdir(), 'pml-counts-'));
const unread = () => {
  throw new Error('counted again');
};

test('countTokens counts a text once and reads the count from then on', async () => {
  const folder = newFolder();

  const first = await countTokens(folder, [{ hash: 'a', value: () => 'read a file' }]);
  const second = await countTokens(folder, [{ hash: 'a', value: unread }]);

  expect(first.get('a')).toBe(3);
  expect(second).toEqual(first);
});

test('countTokens keeps known counts while it adds those of new texts', async () => {
  const folder = newFolder();
  await countTokens(folder, [{ hash: 'a', value: () => 'read a file' }]);

  await countTokens(folder, [{ hash: 'b', value: () => 'write' }]);

  const both = ['a', 'b'].map((hash) => ({ hash, value: unread }));
  expect([...(await countTokens(folder, both)).keys()]).toEqual(['a', 'b']);
});

test.each(['{"a": ', '{"a": "many"}', '[]'])(
  'countTokens counts again if its file holds %s',
  async (damaged) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'token-counts.json'), damaged);

    const counts = await countTokens(folder, [{ hash: 'a', value: () => 'read a file' }]);

    expect(counts.get('a')).toBe(3);
    expect(JSON.parse(readFileSync(join(folder, 'token-counts.json'), 'utf8'))).toEqual({ a: 3 });
  },
);

test('countTokens answers although the folder is gone', async () => {
  const counts = await countTokens('/nowhere/pml', [{ hash: 'a', value: () => 'read a file' }]);

  expect(counts.get('a')).toBe(3);
});
