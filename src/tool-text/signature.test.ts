import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { JsonObject, ToolDefinition } from '../core/index.js';
import { signature } from './signature.js';

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});

const tool = (inputSchema: JsonObject, outputSchema?: JsonObject): ToolDefinition => ({
  name: 'tool',
  inputSchema,
  ...(outputSchema && { outputSchema }),
});

/** The type of a single required parameter `p`. */
function typeOf(schema: JsonObject, extra: JsonObject = {}): string {
  const line = signature(tool({ ...object({ p: schema }, ['p']), ...extra }));
  return line.slice('tool(p: '.length, -1);
}

describe('a signature', () => {
  test('a signature puts required parameters first and shows a declared result', () => {
    const definition = {
      name: 'read_file',
      inputSchema: object(
        { head: { type: 'integer' }, mode: { enum: ['a', 'b'] }, path: { type: 'string' } },
        ['path'],
      ),
      outputSchema: object({ content: { type: 'string' } }, ['content']),
    };

    expect(signature(definition)).toBe(
      'read_file(path: string, head?: number, mode?: "a"|"b"): {content: string}',
    );
  });

  test('a signature quotes names that are not identifiers', () => {
    const definition = { name: 'get-sum', inputSchema: object({ 'x-y': { type: 'number' } }) };

    expect(signature(definition)).toBe('"get-sum"("x-y"?: number)');
  });

  test('a signature over its limit hides depth first, then the last parameters', () => {
    const filter = object({ field: { type: 'string' }, operator: { type: 'string' } });
    const properties = { id: { type: 'string' }, filter, sort: { type: 'string' } };
    const definition = tool(object(properties, ['id']));

    expect(signature(definition, { maxCharacters: 50 })).toBe(
      'tool(id: string, filter?: {…}, sort?: string)',
    );
    expect(signature(definition, { maxCharacters: 34 })).toBe('tool(id: string, filter?: {…}, …)');
    expect(signature(definition, { maxCharacters: 1 })).toBe('tool(…)');
  });

  test('a signature resolves a reference at the top of the schema', () => {
    const schema = { $ref: '#/$defs/In', $defs: { In: object({ a: { type: 'null' } }) } };

    expect(signature(tool(schema))).toBe('tool(a?: null)');
  });
});

test.each<[JsonObject, string]>([
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string|null'],
  [{ type: 'string', nullable: true }, 'string|null'],
  [{ const: 'fixed' }, '"fixed"'],
  [{ enum: [1, 2, 3, 4, 5, 6, 7, 8] }, '1|2|3|4|5|6|…'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a"|"b")[]'],
  [{ type: 'array' }, 'unknown[]'],
  [{ type: 'array', prefixItems: [{ type: 'string' }, true] }, '[string, unknown]'],
  [{ anyOf: [{ type: 'null' }, { type: 'number' }, { type: 'integer' }] }, 'number|null'],
  [{ oneOf: [{ type: 'string' }, { type: 'boolean' }] }, 'string|boolean'],
  [{ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }, 'object'],
  [
    { allOf: [object({ a: { type: 'string' } }), object({ b: { type: 'string' } })] },
    '{a?: string} & {b?: string}',
  ],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [{ type: 'object' }, 'object'],
  [{}, 'unknown'],
  [{ type: 'colour' }, 'unknown'],
  [{ $ref: '#/$defs/Missing' }, 'Missing'],
  [{ $ref: 'https://example.org/schema.json' }, 'unknown'],
])('the type of %j is %s', (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

test('a recursive type ends with its name', () => {
  const Node = object({ next: { $ref: '#/$defs/Node' } });

  expect(typeOf({ $ref: '#/$defs/Node' }, { $defs: { Node } })).toBe('{next?: Node}');
});

test('a signature cuts off types that multiply without end, in bounded time', () => {
  const defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => {
      const next = { $ref: `#/$defs/T${i + 1}` };
      return [`T${i}`, { anyOf: [next, { type: 'array', items: next }] }];
    }),
  );

  expect(typeOf({ $ref: '#/$defs/T0' }, { $defs: defs }).length).toBeLessThanOrEqual(400);
});

test('a signature never throws and never exceeds its limit, whatever a server sends', () => {
  const words = [
    'type',
    'properties',
    'items',
    'anyOf',
    '$ref',
    'enum',
    'required',
    'object',
    '#/a',
  ];
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(...words),
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom(...words), tie('value')),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), json, json, (name, inputSchema, outputSchema) => {
      const line = signature({ name, inputSchema, outputSchema } as ToolDefinition);

      expect(line.length).toBeLessThanOrEqual(400);
      expect(line).not.toContain('\n');
    }),
    { numRuns: 500 },
  );
});
