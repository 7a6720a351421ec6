import { expect, test } from 'vitest';

import { parseReference } from '../plan/reference.js';
import { inputParameters, outputFields } from './schema-fields.js';

test('fields are found through references, unions and arrays of objects', () => {
  const fields = outputFields({
    $defs: { user: { properties: { id: { type: 'string' } } } },
    allOf: [{ properties: { users: { type: 'array', items: { $ref: '#/$defs/user' } } } }],
    anyOf: [{ properties: { next: { type: ['string', 'null'] } } }],
  });

  expect(fields.map(({ path, types }) => [path, types])).toEqual([
    ['', ['object']],
    ['next', ['string']],
    ['users', ['array']],
    ['users[0]', ['object']],
    ['users[0].id', ['string']],
  ]);
});

test('a schema that refers to itself ends', () => {
  const node = { properties: { child: { $ref: '#' }, name: { type: 'string' } } };

  expect(outputFields(node).length).toBeLessThan(30);
});

test('a path to an odd key can be read as a reference', () => {
  const odd = 'a.b["c"]\\d';
  const [, field] = outputFields({ properties: { [odd]: {} } });

  expect(parseReference(`t1${field?.path}`).steps).toEqual([odd]);
});

test('parameters say whether they are required and what they are without a value', () => {
  const parameters = inputParameters({
    properties: {
      a: { default: 1 },
      b: { const: 'x' },
      c: { enum: ['only'] },
      d: { enum: [1, 2] },
    },
    required: ['a', 'd'],
  });

  expect(parameters.map(({ path, isRequired, fallback }) => [path, isRequired, fallback])).toEqual([
    ['a', true, 1],
    ['b', false, 'x'],
    ['c', false, 'only'],
    ['d', true, undefined],
  ]);
});

test('a result with too many fields is cut', () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, {}]));

  expect(outputFields({ properties: { ...wide, last: { properties: wide } } })).toHaveLength(300);
});

test('parameters of an object inside refer to the whole document', () => {
  const owner = { properties: { name: { type: 'string' } } };
  const task = { properties: { by: { $ref: '#/properties/owner/properties/name' } } };

  const [by] = inputParameters(task, { properties: { owner, task } });

  expect(by?.types).toEqual(['string']);
});
