import { existsSync } from 'node:fs';

import { expect, test } from 'vitest';

import { headingsOf, readPage } from './helpers/markdown.js';
import { REQUIREMENTS } from './requirements.js';
import { STATEMENTS } from './statements.js';

const sections = (path: string) =>
  headingsOf(readPage(path))
    .filter(({ level }) => level === 2)
    .map(({ title }) => title);

// covers: DOCS-TRIED
test.each(Object.keys(STATEMENTS))(
  'every section of %s has an entry in test/statements.ts',
  (path) => {
    expect(Object.keys(STATEMENTS[path] ?? {})).toEqual(sections(path));
  },
);

test('every entry of test/statements.ts names a test that exists, or says why there is none', () => {
  const ids = new Set(REQUIREMENTS.map(({ id }) => id));
  const isKnown = (one: string) =>
    ids.has(one) || existsSync(new URL(`../${one}`, import.meta.url));
  const entries = Object.values(STATEMENTS).flatMap((page) => Object.values(page));

  expect(entries.flatMap(({ by }) => by).filter((one) => !isKnown(one))).toEqual([]);
  expect(entries.filter(({ by, not = '' }) => by.length === 0 && not === '')).toEqual([]);
});
