import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { REQUIREMENTS } from './requirements.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Ids cited in a text: `[ID]` in the name of a test, `covers: ID` in a comment. */
function citedIn(text: string): string[] {
  const named = [...text.matchAll(/\[([A-Z]+(?:-[A-Z]+)+)\]/g)];
  const commented = [...text.matchAll(/\/\/ covers: ([A-Z]+(?:-[A-Z]+)+)/g)];
  return [...named, ...commented].map(([, id = '']) => id);
}

function readTests(): ReadonlyMap<string, string> {
  const files = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((file) => join(folder, String(file))),
  );
  const isTest = /\.test\.ts$|conformance[\\/].*\.ts$/;
  const own = join('test', 'requirements.test.ts');
  return new Map(
    files
      .filter((file) => isTest.test(file) && file !== own)
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  );
}

describe('requirements', () => {
  test('the scan itself finds ids in names and comments, and nothing else', () => {
    const text = "// covers: AB-CD\ntest('does it [EF-GH]', () => { array[I-J]; x['K-L']; });";

    expect(citedIn(text).toSorted()).toEqual(['AB-CD', 'EF-GH', 'I-J']);
    expect(citedIn('// covers nothing, [not-an-id]')).toEqual([]);
  });

  test('each is proven by a test, and each id a test cites is a promise', () => {
    const cited = new Set([...readTests().values()].flatMap(citedIn));
    const ids = REQUIREMENTS.map(({ id }) => id);

    expect(new Set(ids).size, 'two requirements share an id').toBe(ids.length);
    expect(ids.filter((id) => !cited.has(id))).toEqual([]);
    expect([...cited].filter((id) => !ids.includes(id))).toEqual([]);
  });
});
