import fc from 'fast-check';
import { expect, test } from 'vitest';

import { CLIENT_RULES } from '../../../test/helpers/client-schema-rules.js';
import { parameterSchema } from '../../code/lift/parameter-schema.js';
import type { JsonObject, JsonValue } from '../../core/index.js';
import { metaTools } from '../../tools/meta-tools.js';
import { clientSchema } from './client-schema.js';

function refusals(tool: { name: string; description?: string; inputSchema: JsonObject }) {
  return CLIENT_RULES.flatMap(([client, rules]) =>
    rules(tool).map((fault) => `${client}: ${fault}`),
  );
}

function listed(properties: JsonObject) {
  return {
    name: 'cap__it',
    description: 'Does it',
    inputSchema: clientSchema({ type: 'object', properties }),
  };
}

test.each(metaTools(['github']))(
  'VS Code, OpenAI and Gemini take the schema of $name [MENU-STRICT]',
  (tool) => {
    expect(refusals(tool as typeof tool & { inputSchema: JsonObject })).toEqual([]);
  },
);

test('the rules of every client refuse what that client refuses', () => {
  const bad = {
    name: 'pml_x',
    description: 'x',
    inputSchema: {
      type: 'object',
      properties: { list: { type: 'array' }, one: { enum: ['a'] }, open: { type: 'object' } },
    },
  };

  expect(refusals(bad)).toEqual([
    'VS Code Copilot: root.list: array type must have items',
    'OpenAI: root.list: array schema missing items',
    'OpenAI: root.open: object schema missing properties',
    'Gemini: root.list: items: missing field',
    'Gemini: root.one: type is missing or unknown',
    'Gemini: root.one: enum is only allowed for STRING type',
    'Gemini: root.open: properties should be non-empty for OBJECT type',
  ]);
});

test('a capability with empty, mixed and nested values is taken by every client [MENU-STRICT]', () => {
  const examples: Record<string, JsonValue> = {
    none: null,
    empty: [],
    mixed: [1, 'a', { b: [] }],
    open: {},
    deep: { rows: [[]], when: '2026-01-02', mail: 'a@b.c', url: 'https://a.b' },
    level: 3,
  };
  const described: JsonObject = { description: 'How much', enum: [1, 2, 3] };
  const properties = Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [name, parameterSchema(value, described)]),
  );

  expect(refusals(listed(properties))).toEqual([]);
});

test('values of a choice that are no texts stand in the description', () => {
  const schema = clientSchema({
    type: 'object',
    properties: { level: { type: 'integer', enum: [1, 2], description: 'How much.' } },
    required: ['level', 'gone'],
  });

  expect(schema).toEqual({
    type: 'object',
    properties: { level: { type: 'integer', description: 'How much. One of 1, 2' } },
    required: ['level'],
  });
});

test('a schema that every client takes stays as it is', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Whose', default: 'Ann' },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      at: { type: 'string', format: 'date-time' },
    },
    required: ['name'],
  };

  expect(clientSchema(schema)).toEqual(schema);
});

test('the schema of any lifted literal is taken by every client', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const found = refusals(listed({ it: parameterSchema(value as JsonValue, undefined) }));
      expect(found).toEqual([]);
    }),
  );
});
