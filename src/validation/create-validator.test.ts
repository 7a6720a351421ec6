import { describe, expect, test } from 'vitest';

import { LEADING, MISLEADING } from '../../test/helpers/reference-samples.js';
import type { JsonObject, JsonValue } from '../core/index.js';
import { createValidator } from './create-validator.js';

const violations = (schema: JsonObject, value: JsonValue) => createValidator(schema)(value);
const lines = (schema: JsonObject, value: JsonValue) =>
  violations(schema, value).map(({ path, message }) => `${path}: ${message}`);

describe('a violation says where, what was expected and what was there', () => {
  test.each<[string, JsonObject, JsonValue, string]>([
    ['type', { type: 'integer' }, 'ten', ': expected integer, got "ten"'],
    ['types', { type: ['string', 'null'] }, 10, ': expected string or null, got 10'],
    ['enum', { enum: ['a', 'b'] }, 'c', ': expected one of "a", "b", got "c"'],
    ['const', { const: { a: 1 } }, { a: 2 }, ': expected {"a":1}, got an object'],
    ['minimum', { minimum: 1 }, 0, ': expected at least 1, got 0'],
    ['exclusive', { exclusiveMaximum: 3 }, 3, ': expected less than 3, got 3'],
    [
      'exclusive, draft 4',
      { maximum: 3, exclusiveMaximum: true },
      3,
      ': expected less than 3, got 3',
    ],
    ['multiple', { multipleOf: 0.1 }, 0.35, ': expected a multiple of 0.1, got 0.35'],
    ['length', { minLength: 2 }, '🙂', ': expected at least 2 characters, got "🙂"'],
    ['pattern', { pattern: '^[a-z]+$' }, 'A', ': expected text like ^[a-z]+$, got "A"'],
    ['items', { items: { type: 'string' } }, ['a', 1], '[1]: expected string, got 1'],
    [
      'tuple',
      { prefixItems: [{ type: 'string' }], items: false },
      ['a', 1],
      '[1]: not allowed here, got 1',
    ],
    [
      'tuple, draft 7',
      { items: [{ type: 'string' }], additionalItems: { type: 'null' } },
      ['a', 1],
      '[1]: expected null, got 1',
    ],
    ['count', { minItems: 2 }, [1], ': expected at least 2 items, got 1'],
    [
      'unique',
      { uniqueItems: true },
      [{ a: 1 }, { a: 1 }],
      '[1]: the same as item 0, but items must differ',
    ],
    [
      'contains',
      { contains: { type: 'null' } },
      [1],
      ': expected at least 1 of its items to fit `contains`, got 0',
    ],
    [
      'required',
      { required: ['a'], properties: { a: { type: 'string' } } },
      {},
      'a: missing, expected string',
    ],
    [
      'unknown name',
      { properties: { path: true }, additionalProperties: false },
      { pth: 1 },
      'pth: unknown name; did you mean "path"?',
    ],
    [
      'odd name',
      { additionalProperties: { type: 'null' } },
      { 'a b': 1 },
      '["a b"]: expected null, got 1',
    ],
    [
      'names',
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      'ab: its name is wrong: expected at most 1 character, got "ab"',
    ],
    [
      'dependent',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      'b: missing, needed because of "a"',
    ],
    ['dependencies, draft 7', { dependencies: { a: { required: ['c'] } } }, { a: 1 }, 'c: missing'],
    ['if', { if: { type: 'string' }, else: { const: 1 } }, 2, ': expected 1, got 2'],
    ['not', { not: { type: 'string' } }, 'a', ': has a form that is not allowed, got "a"'],
    [
      'oneOf',
      { oneOf: [{ type: 'number' }, { minimum: 1 }] },
      2,
      ': fits 2 of 2 forms, but must fit exactly one',
    ],
    [
      '$ref',
      { $defs: { a: { type: 'null' } }, items: { $ref: '#/$defs/a' } },
      [1],
      '[0]: expected null, got 1',
    ],
  ])('a violation names place, expected and actual value: %s', (_keyword, schema, value, line) => {
    expect(lines(schema, value)).toEqual([line]);
  });

  test('violations are listed deepest first, and at most five', () => {
    const schema = { required: ['b'], additionalProperties: { items: { type: 'string' } } };

    const found = lines(schema, { a: [1, 2, 3, 4, 5, 6] });
    expect(found).toHaveLength(5);
    expect(found[0]).toBe('a[0]: expected string, got 1');
    expect(lines(schema, { a: [1] })).toEqual(['a[0]: expected string, got 1', 'b: missing']);
  });

  test('a violation shortens a long text', () => {
    expect(violations({ type: 'null' }, 'x'.repeat(5_000))[0]?.message.length).toBeLessThan(120);
  });
});

describe('of several forms the nearest is spoken of', () => {
  test('a value that fits none of several types gets a violation with all of them', () => {
    const schema = { anyOf: [{ type: 'string' }, { type: 'null' }] };

    expect(lines(schema, 1)).toEqual([': expected string or null, got 1']);
  });

  test('a violation is about the form of the same type, and inside it of the same kind', () => {
    const form = (kind: string) => ({
      type: 'object',
      properties: { kind: { const: kind }, size: { type: 'integer' } },
    });
    const schema = { anyOf: [{ type: 'string' }, form('box'), form('bag')] };

    expect(lines(schema, { kind: 'bag', size: 'ten' })).toEqual([
      'size: expected integer, got "ten"',
    ]);
    expect(lines(schema, { kind: 'tub' })).toEqual(['kind: expected "box" or "bag", got "tub"']);
  });

  test('a violation names every form if all are equally near', () => {
    const schema = { anyOf: [{ required: ['a'] }, { required: ['b'] }] };

    expect(lines(schema, {})).toEqual([
      ': fits none of 2 allowed forms: a: missing; or b: missing',
    ]);
  });
});

describe('what cannot be checked counts as satisfied', () => {
  test.each<[string, JsonObject, JsonValue]>([
    ['a broken pattern', { pattern: '(' }, 'x'],
    ['a reference to nowhere', { $ref: '#/$defs/none' }, 1],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }, 1],
    ['a reference to itself', { $ref: '#' }, 1],
    ['an invented type', { type: 'file' }, 1],
    ['a schema that is none', { items: 'string' }, [1]],
    ['a rule with a wrong value', { required: true, properties: [], minimum: '1', enum: 'a' }, {}],
    ['null where the API says nullable', { type: 'string', nullable: true }, null],
    ['what others evaluated', { unevaluatedProperties: false }, { a: 1 }],
    ['a format', { type: 'string', format: 'date-time' }, 'tomorrow'],
  ])('a rule that cannot be checked counts as satisfied: %s', (_what, schema, value) => {
    expect(violations(schema, value)).toEqual([]);
  });

  test('a rule beside a `$ref` counts, but not in draft 7', () => {
    const schema = { $defs: { any: true }, $ref: '#/$defs/any', type: 'string' };
    const old = { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' };

    expect(violations(schema, 1)).toHaveLength(1);
    expect(violations(old, 1)).toEqual([]);
  });

  test('names of Object.prototype are property names like any other', () => {
    const schema = { required: ['toString'], properties: { constructor: { type: 'string' } } };

    expect(lines(schema, {})).toEqual(['toString: missing']);
    expect(violations({ additionalProperties: false }, { constructor: 1 })).toHaveLength(1);
  });
});

describe('a value is checked against what a reference leads to by', () => {
  test.each(LEADING)('a validator resolves a reference: %s', (_name, schema) => {
    expect(lines(schema, { p: 'x' })).toEqual(['p: expected boolean, got "x"']);
    expect(lines(schema, { p: true })).toEqual([]);
  });
});

describe('a value counts as satisfied by a reference that leads nowhere by', () => {
  test.each(MISLEADING)('a reference to nothing counts as satisfied: %s', (_name, schema) => {
    expect([...lines(schema, { p: 1 }), ...lines(schema, { p: 'x' })]).toEqual([]);
  });
});

describe('work is bounded', () => {
  const form = { type: 'object', properties: { x: { $ref: '#/$defs/a' } }, required: ['x'] };
  const nested = (levels: number) => {
    let value: JsonValue = 'end';
    for (let level = 0; level < levels; level++) value = { x: value };
    return value;
  };

  test.each<[string, JsonObject, JsonValue]>([
    ['forms in forms', { $defs: { a: { anyOf: [form, form] } }, $ref: '#/$defs/a' }, nested(60)],
    ['a schema that asks for itself twice', { allOf: [{ $ref: '#' }, { $ref: '#' }] }, 1],
    ['a value deeper than the stack', { additionalProperties: { $ref: '#' } }, nested(3_000)],
    ['repeated groups in repeated groups', { pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`],
    ['repeated alternatives', { pattern: '^(?:a|a)*$' }, `${'a'.repeat(60)}!`],
    ['many quantifiers', { pattern: 'a*a*a*a*a*a*b' }, 'a'.repeat(5_000)],
  ])('work of a validator is bounded: %s', (_what, schema, value) => {
    expect(violations(schema, value)).toEqual([]);
  });

  test('a validator reads a long reference once, whatever the number of items', () => {
    const schema = { items: { $ref: `#/${'a/'.repeat(200_000)}` } };
    const value = Array.from({ length: 100_000 }, () => 1);

    expect(violations(schema, value)).toEqual([]);
  });

  test('a validator stops after a few violations in a value with millions of items', () => {
    const value = { items: Array.from({ length: 1_000_000 }, () => 1) };

    expect(lines({ properties: { items: { items: { type: 'string' } } } }, value)).toContain(
      'items[0]: expected string, got 1',
    );
  });
});

test('a schema object has one validator', () => {
  const schema = { type: 'string' };

  expect(createValidator(schema)).toBe(createValidator(schema));
});
