import { describe, expect, test } from 'vitest';

import { LEADING, MISLEADING } from '../../test/helpers/reference-samples.js';
import type { JsonObject } from '../core/index.js';
import { followReferences, resolveReference } from './resolve-reference.js';
import { inputParameters } from './schema-fields.js';
import { scopeOf } from './schema-scope.js';
import { propertyTypes } from './schema-type.js';

const typesOf = (schema: JsonObject) => inputParameters(schema).map(({ types }) => types);
const textOf = (schema: JsonObject) => propertyTypes(schema, scopeOf(schema, 3));

describe('a reference leads to', () => {
  test.each(LEADING)('%s', (_name, schema) => {
    expect(typesOf(schema)).toEqual([['boolean']]);
    expect(textOf(schema)).toEqual(['p?: boolean']);
  });
});

describe('a reference leads nowhere by', () => {
  test.each(MISLEADING)('%s', (_name, schema) => {
    expect(typesOf(schema)).toEqual([[]]);
    expect(textOf(schema)[0]).toMatch(/^p\?: \w+$/);
    expect(textOf(schema)).not.toContain('p?: boolean');
  });
});

describe('a document', () => {
  test('the outermost of two schemas with the same `$id` is meant', () => {
    const inner = { $id: 'a.json', type: 'string' };
    const document = { $defs: { a: { $id: 'a.json', items: inner } } };

    expect(resolveReference('a.json', { document, root: document })?.schema).toBe(document.$defs.a);
  });

  test('an `$id` is relative to the resource around it', () => {
    const leaf = { $id: 'leaf.json', type: 'string' };
    const document = {
      $id: 'https://example.org/a/root.json',
      $defs: { b: { $id: '../b/tree.json', $defs: { leaf } } },
    };

    const found = resolveReference('https://example.org/b/leaf.json', { document, root: document });

    expect(found).toEqual({ schema: leaf, root: leaf });
  });

  test('a chain of many references ends, and so does a circle', () => {
    const links = 20_000;
    const defs = Array.from({ length: links }, (_, at): [string, JsonObject] => [
      String(at),
      { $ref: `#/$defs/${at + 1}` },
    ]);
    const end = { type: 'null' };
    const document: JsonObject = { $defs: { ...Object.fromEntries(defs), [links]: end } };
    const circle: JsonObject = { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } };

    expect(followReferences({ $ref: '#/$defs/0' }, document)).toBe(end);
    expect(followReferences({ $ref: '#/$defs/a' }, circle)).toEqual({ $ref: '#/$defs/a' });
  });

  test('many long URIs inside each other are given up', () => {
    let schema: JsonObject = { $anchor: 'end' };
    for (let level = 0; level < 2_000; level++) {
      schema = { $id: `${'a'.repeat(1_000)}/`, items: schema };
    }

    expect(resolveReference('nowhere.json', { document: schema, root: schema })).toBeUndefined();
  });
});

test('a schema that is put together of itself over and over is read once', () => {
  const branches = Array.from({ length: 200 }, () => ({ $ref: '#' }));
  const schema = { allOf: branches, anyOf: branches, properties: { a: { type: 'string' } } };

  expect(typesOf(schema)).toEqual([['string']]);
});
