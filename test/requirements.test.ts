import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { IN_DOUBT_CODES } from '../src/core/index.js';
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

interface Schema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
}

/** Every key of the configuration as the README writes it, with its default where it has one. */
function keysOf(schema: Schema, prefix = ''): readonly (readonly [string, unknown])[] {
  const inner = [schema, ...(schema.anyOf ?? [])].flatMap((one) =>
    Object.entries(one.properties ?? {}),
  );
  return inner.flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    if (key === 'mcpServers') return keysOf(value.additionalProperties as Schema);
    const deeper = keysOf(value, `${path}.`);
    return deeper.length > 0 ? deeper : [[path, value.default] as const];
  });
}

describe('the README', () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const rows = new Map(
    [...readme.matchAll(/^\| `([\w.$]+)` \| (.*?) \| /gm)].map(([, key = '', cell = '']) => [
      key,
      cell,
    ]),
  );
  const schema = JSON.parse(readFileSync(join(ROOT, 'pml.schema.json'), 'utf8')) as Schema;
  const keys = keysOf(schema).filter(([key]) => key !== '$schema');

  test('has a row for every key of the configuration', () => {
    expect(keys.length, 'the schema was not understood').toBeGreaterThan(40);
    expect(keys.map(([key]) => key).filter((key) => !rows.has(key))).toEqual([]);
  });

  test('gives the default that the configuration has', () => {
    const wrong = keys.filter(([key, value]) => {
      const cell = rows.get(key) ?? '';
      return value !== undefined && cell !== `\`${JSON.stringify(value)}\``;
    });

    expect(wrong).toEqual([]);
  });

  test('explains every error code', () => {
    const source = readFileSync(join(ROOT, 'src/core/errors.ts'), 'utf8');
    const codes = [...source.matchAll(/^ {2}\| '([A-Z_]+)'/gm)].map(([, code = '']) => code);

    expect(codes.length, 'the codes were not found').toBeGreaterThan(20);
    expect(codes.filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
  });

  test('marks exactly the error codes after which a call may have been carried out', () => {
    const marked = [...readme.matchAll(/^\| `([A-Z_]+)` † \|/gm)].map(([, code = '']) => code);

    expect(marked.toSorted()).toEqual([...IN_DOUBT_CODES].toSorted());
  });
});
