import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import { checkArgs } from './check-args.js';
import { createValidator } from './create-validator.js';

const REFERENCE = { $ref: 'a.id' };
const isReference = (value: JsonValue) =>
  typeof value === 'string' ? value.includes('${a') : isJsonObject(value) && '$ref' in value;

const check = (schema: JsonObject, args: JsonObject) =>
  checkArgs(schema, args, isReference).map(({ path, message }) => `${path}: ${message}`);

describe('a reference', () => {
  const text = { type: 'string' };
  const whole = { type: 'integer' };

  test.each<[string, JsonObject, JsonObject]>([
    ['itself', { properties: { a: whole } }, { a: REFERENCE }],
    ['a text that holds one', { properties: { a: { pattern: '^x$' } } }, { a: 'x${a.id}' }],
    ['a required parameter', { required: ['a'], properties: { a: whole } }, { a: REFERENCE }],
    [
      'anyOf above it',
      { anyOf: [{ properties: { a: text } }, { required: ['z'] }] },
      { a: REFERENCE },
    ],
    [
      'oneOf above it',
      { oneOf: [{ properties: { a: text } }, { properties: { a: whole } }] },
      { a: REFERENCE },
    ],
    ['not above it', { not: { properties: { a: text } } }, { a: REFERENCE }],
    ['if above it', { if: { properties: { a: text } }, else: false }, { a: REFERENCE }],
    ['const above it', { properties: { a: { const: { b: 1 } } } }, { a: { b: REFERENCE } }],
    ['contains beside it', { properties: { a: { contains: whole } } }, { a: ['x', REFERENCE] }],
    [
      'uniqueItems around it',
      { properties: { a: { uniqueItems: true } } },
      { a: [REFERENCE, REFERENCE] },
    ],
  ])('a reference hides violations that depend on it: %s', (_where, schema, args) => {
    expect(check(schema, args)).toEqual([]);
  });

  test('a reference hides no violation that does not depend on it', () => {
    const schema = {
      properties: { a: { items: whole, maxItems: 2 }, b: whole },
      required: ['b', 'c'],
    };

    expect(check(schema, { a: [REFERENCE, 'x', 1], b: REFERENCE })).toEqual([
      'a[1]: expected integer, got "x"',
      'c: missing',
      'a: expected at most 2 items, got 3',
    ]);
  });

  test('a reference in a list with unique items may equal another item', () => {
    const schema = {
      properties: { value: { not: { if: { uniqueItems: true }, else: { type: 'string' } } } },
    };

    expect(check(schema, { value: [0, 0] })).toEqual([]);
    expect(check(schema, { value: [0, REFERENCE] })).toEqual([]);
  });

  test('a reference in place of any part of a valid value keeps the value valid', () => {
    fc.assert(
      fc.property(schemas, values, fc.nat(20), (schema, value, at) => {
        fc.pre(createValidator(schema)({ value }).length === 0);

        expect(check(schema, { value: replacePart(value, at) })).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an unknown name', () => {
  const schema = { properties: { path: {}, limit: {} } };

  test('an unknown argument name is reported if it is a typo of a known one', () => {
    expect(check(schema, { pth: 1 })).toEqual([
      'pth: unknown name; did you mean "path" or "limit"?',
    ]);
  });

  test('an unknown argument name passes if it resembles none, or one that is given', () => {
    expect(check(schema, { colour: 1 })).toEqual([]);
    expect(check(schema, { path: 1, paths: 2 })).toEqual([]);
  });

  test('an unknown argument name passes if the schema is open or has further rules', () => {
    expect(check({ ...schema, additionalProperties: true }, { pth: 1 })).toEqual([]);
    expect(check({ ...schema, anyOf: [{ required: ['pth'] }] }, { pth: 1 })).toEqual([]);
  });

  test('an unknown argument name is reported once if the schema forbids it', () => {
    expect(check({ ...schema, additionalProperties: false }, { pth: 1, colour: 2 })).toEqual([
      'pth: unknown name; did you mean "path" or "limit"?',
      'colour: unknown name; known are path, limit',
    ]);
  });

  test('the report of an unknown argument name lists the nearest three names', () => {
    const names = [
      'path',
      'paths',
      'patch',
      'limit',
      ...Array.from({ length: 20 }, (_, at) => `x${at}`),
    ];
    const properties = Object.fromEntries(names.map((name) => [name, {}]));
    const closed = { properties, additionalProperties: false };

    expect(check(closed, { pathh: 1 })).toEqual([
      'pathh: unknown name; did you mean "path", "patch" or "paths"?',
    ]);
    expect(check(closed, { limitOfAll: 1 })).toEqual([
      expect.stringMatching(/^limitOfAll: unknown name; the nearest of 24 are limit, \w+, \w+$/),
    ]);
  });
});

const values = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<JsonValue>(null, true, 0, 1, 2, 'a', 'ab'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2 }),
  ),
})).value;

const schemas: fc.Arbitrary<JsonObject> = fc
  .letrec<{ schema: JsonObject }>((tie) => {
    const one = tie('schema');
    const some = fc.array(one, { minLength: 1, maxLength: 2 });
    const rules: readonly fc.Arbitrary<JsonObject>[] = [
      fc.record({ type: fc.constantFrom('string', 'integer', 'object', 'array', 'null') }),
      fc.record({ enum: fc.array(values, { minLength: 1, maxLength: 3 }) }),
      fc.record({ minimum: fc.nat(2) }),
      fc.record({ required: fc.constantFrom(['a'], ['b']) }),
      fc.constant({ uniqueItems: true }),
    ];
    const deeper: readonly fc.Arbitrary<JsonObject>[] = [
      fc.record({ not: one }),
      fc.record({ anyOf: some }),
      fc.record({ oneOf: some }),
      fc.record({ if: one, else: one }),
      fc.record({ items: one }),
      fc.record({ contains: one, maxContains: fc.nat(2) }),
      fc.record({ properties: fc.record({ a: one }), additionalProperties: one }),
    ];
    return { schema: fc.oneof({ maxDepth: 3 }, ...rules, ...deeper) };
  })
  .schema.map((schema) => ({ properties: { value: schema } }));

/** The value with one of its parts, or the whole, replaced by a reference. */
function replacePart(value: JsonValue, at: number): JsonValue {
  if (at === 0 || typeof value !== 'object' || value === null) return REFERENCE;
  if (Array.isArray(value)) {
    return value.length === 0
      ? REFERENCE
      : value.with(
          at % value.length,
          replacePart(value[at % value.length] as JsonValue, Math.floor(at / 4)),
        );
  }
  const entries = Object.entries(value as JsonObject);
  const [key, item] = entries[at % Math.max(1, entries.length)] ?? [];
  if (key === undefined || item === undefined) return REFERENCE;
  return { ...(value as JsonObject), [key]: replacePart(item, Math.floor(at / 4)) };
}
