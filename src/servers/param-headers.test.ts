import { describe, expect, test } from 'vitest';

import type { JsonObject, JsonValue } from '../core/index.js';
import { encodeHeader, paramHeaders, readHeaderParams } from './param-headers.js';

const marked = (type: string, name: JsonValue = 'Region') => ({ type, 'x-mcp-header': name });
const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties });

describe('marks in a schema', () => {
  test('header marks are found at any depth of the properties of a schema', () => {
    const schema = object({
      region: marked('string'),
      where: object({ tenant: marked('integer', 'Tenant') }),
      default: marked('boolean', 'Default'),
    });

    expect(readHeaderParams(schema)).toEqual({
      ok: true,
      params: [
        { path: ['region'], header: 'Region' },
        { path: ['where', 'tenant'], header: 'Tenant' },
        { path: ['default'], header: 'Default' },
      ],
    });
  });

  test.each<[string, JsonObject]>([
    ['an empty name', object({ a: marked('string', '') })],
    ['a name with a blank', object({ a: marked('string', 'My Region') })],
    ['a name with a line break', object({ a: marked('string', 'A\r\nB') })],
    ['a name that is no text', object({ a: marked('string', 5) })],
    ['a number', object({ a: marked('number') })],
    ['an object', object({ a: marked('object') })],
    ['no type', object({ a: { 'x-mcp-header': 'A' } })],
    ['the same name twice', object({ a: marked('string', 'A'), b: marked('string', 'a') })],
    ['items', object({ a: { type: 'array', items: marked('string') } })],
    ['a choice', object({ a: { anyOf: [marked('string'), { type: 'null' }] } })],
    ['a condition', { ...object({}), if: object({ a: marked('string') }) }],
    ['a definition', { ...object({}), $defs: { a: marked('string') } }],
    ['the root', { ...object({}), 'x-mcp-header': 'A' }],
  ])('header marks are refused with %s', (_, schema) => {
    expect(readHeaderParams(schema)).toMatchObject({ ok: false });
  });

  test('header marks that occur only in example data are ignored', () => {
    const example = { 'x-mcp-header': 'A' };
    const schema = object({ a: { type: 'object', default: example, examples: [example] } });

    expect(readHeaderParams(schema)).toEqual({ ok: true, params: [] });
  });
});

test('marked parameters become headers, but missing, null or inexact values do not', () => {
  const params = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
    path: [name],
    header: name.toUpperCase(),
  }));
  const args = { a: 'x', b: -7, c: true, d: null, e: 2 ** 60 };

  expect(paramHeaders(params, args)).toEqual({
    'Mcp-Param-A': 'x',
    'Mcp-Param-B': '-7',
    'Mcp-Param-C': 'true',
  });
  expect(paramHeaders(params, undefined)).toEqual({});
});

// The examples of the specification.
test.each([
  ['us-west1', 'us-west1'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
  ['', '=?base64??='],
])('header value %j is written as %s', (text, expected) => {
  expect(encodeHeader(text)).toBe(expected);
});
