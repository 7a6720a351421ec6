import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { LEADING, MISLEADING } from '../../../test/helpers/reference-samples.js';
import type { JsonObject, LockedDefinition } from '../../core/index.js';
import { compareDefinitions, type ToolUsage } from './compare-definitions.js';

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const tool = (inputSchema: JsonObject, rest: Partial<LockedDefinition> = {}): LockedDefinition => ({
  hash: JSON.stringify([inputSchema, rest]),
  inputSchema,
  ...rest,
});
const giving = (...names: readonly string[]): ToolUsage => ({ given: [new Set(names)] });
const text = { type: 'string' };

interface Case {
  readonly name: string;
  readonly before: LockedDefinition;
  readonly now: LockedDefinition | undefined;
  readonly usage?: ToolUsage;
  readonly lines: readonly string[];
}

const path = tool(object({ path: text }, ['path']));
const param = (schema: JsonObject) => tool(object({ p: schema }));

const COMPATIBLE: readonly Case[] = [
  {
    name: 'a new optional parameter',
    before: path,
    now: tool(object({ path: text, head: { type: 'integer' } }, ['path'])),
    lines: ['+ parameter head'],
  },
  {
    name: 'another description',
    before: tool(object({}), { description: 'Reads' }),
    now: tool(object({}), { description: 'Reads a file' }),
    lines: ['~ description'],
  },
  {
    name: 'another description of a parameter',
    before: path,
    now: tool(object({ path: { type: 'string', description: 'Where' } }, ['path'])),
    lines: ['~ title, texts or annotations'],
  },
  {
    name: 'other annotations',
    before: path,
    now: { ...path, hash: 'other' },
    lines: ['~ title, texts or annotations'],
  },
  {
    name: 'more values',
    before: param({ enum: ['a', 'b'] }),
    now: param({ enum: ['b', 'c', 'a'] }),
    lines: ['~ parameters'],
  },
  {
    name: 'any value instead of some',
    before: param({ type: 'string', enum: ['a'] }),
    now: param({ type: 'string' }),
    lines: ['~ parameters'],
  },
  {
    name: 'more types',
    before: param({ type: 'string' }),
    now: param({ type: ['string', 'null'] }),
    lines: ['~ parameters'],
  },
  {
    name: 'numbers instead of integers',
    before: param({ type: 'integer' }),
    now: param({ type: 'number' }),
    lines: ['~ parameters'],
  },
  {
    name: 'wider bounds',
    before: param({ type: 'number', minimum: 1, maximum: 5 }),
    now: param({ type: 'number', minimum: 0 }),
    lines: ['~ parameters'],
  },
  {
    name: 'a branch more',
    before: param({ anyOf: [{ type: 'string' }] }),
    now: param({ anyOf: [{ type: 'number' }, { type: 'string', title: 'T' }] }),
    lines: ['~ parameters'],
  },
  {
    name: 'a parameter gone that the code does not give',
    before: tool(object({ path: text, head: text })),
    now: tool(object({ path: text })),
    usage: giving('path'),
    lines: ['~ parameters'],
  },
  {
    name: 'another type of a parameter that the code does not give',
    before: tool(object({ path: text, head: text })),
    now: tool(object({ path: text, head: { type: 'array' } })),
    usage: giving('path'),
    lines: ['~ parameters'],
  },
  {
    name: 'a parameter now required that every call gives',
    before: tool(object({ path: text })),
    now: path,
    usage: giving('path'),
    lines: ['~ parameters'],
  },
  {
    name: 'a field more in the result',
    before: tool(object({}), { outputSchema: object({ a: text }) }),
    now: tool(object({}), { outputSchema: object({ a: text, b: text }) }),
    lines: ['~ result'],
  },
  {
    name: 'a result field gone that the code does not name',
    before: tool(object({}), { outputSchema: object({ a: text, b: text }) }),
    now: tool(object({}), { outputSchema: object({ a: text }) }),
    usage: { words: new Set(['a']) },
    lines: ['~ result'],
  },
  {
    name: 'a result that is declared, or no longer',
    before: tool(object({}), { outputSchema: object({ a: text }) }),
    now: tool(object({})),
    lines: ['~ result'],
  },
  {
    name: 'the same schema by reference',
    before: path,
    now: tool({
      ...object({ path: { $ref: '#/$defs/path' } }, ['path']),
      $defs: { path: { type: 'string', title: 'Path' } },
    }),
    lines: ['~ parameters'],
  },
];

const INCOMPATIBLE: readonly Case[] = [
  { name: 'a tool that is gone', before: path, now: undefined, lines: ['the tool is gone'] },
  {
    name: 'a parameter gone that the code gives',
    before: tool(object({ path: text, head: text })),
    now: tool(object({ path: text })),
    usage: giving('path', 'head'),
    lines: ['- parameter head is gone'],
  },
  {
    name: 'a parameter gone when it is unknown what the code gives',
    before: tool(object({ path: text, head: text })),
    now: tool(object({ path: text })),
    lines: ['- parameter head is gone'],
  },
  {
    name: 'a parameter with another name',
    before: path,
    now: tool(object({ file_path: text }, ['file_path'])),
    usage: giving('path'),
    lines: [
      '- parameter path is gone (perhaps it is file_path now)',
      '+ parameter file_path is now required',
    ],
  },
  {
    name: 'a parameter now required that a call does not give',
    before: tool(object({ path: text, mode: text })),
    now: tool(object({ path: text, mode: text }, ['mode'])),
    usage: { given: [new Set(['path', 'mode']), new Set(['path'])] },
    lines: ['+ parameter mode is now required'],
  },
  {
    name: 'another type',
    before: param({ type: 'string' }),
    now: param({ type: 'number' }),
    usage: giving('p'),
    lines: ['! parameter p: type was string, is number'],
  },
  {
    name: 'fewer types',
    before: param({}),
    now: param({ type: 'string' }),
    lines: ['! parameter p: type was any, is string'],
  },
  {
    name: 'fewer values',
    before: param({ enum: ['a', 'b'] }),
    now: param({ const: 'a' }),
    lines: ['! parameter p: no longer takes "b"'],
  },
  {
    name: 'some values instead of any',
    before: param({ type: 'string' }),
    now: param({ type: 'string', enum: ['a'] }),
    lines: ['! parameter p: takes only "a"'],
  },
  {
    name: 'narrower bounds',
    before: param({ type: 'string', maxLength: 9 }),
    now: param({ type: 'string', maxLength: 5, pattern: '^a' }),
    lines: ['! parameter p: maxLength was 9, is 5', '! parameter p: pattern is another'],
  },
  {
    name: 'a branch less',
    before: param({ anyOf: [{ type: 'string' }, { type: 'number' }] }),
    now: param({ anyOf: [{ type: 'string' }] }),
    lines: ['! parameter p: anyOf is another'],
  },
  {
    name: 'another type deep inside',
    before: param({ type: 'array', items: object({ a: object({ b: text }) }) }),
    now: param({ type: 'array', items: object({ a: object({ b: { type: 'number' } }, ['c']) }) }),
    lines: [
      '! parameter p[].a.c: is now required',
      '! parameter p[].a.b: type was string, is number',
    ],
  },
  {
    name: 'another type behind a reference',
    before: tool({ ...object({ p: { $ref: '#/$defs/x' } }), $defs: { x: { type: 'string' } } }),
    now: tool({ ...object({ p: { $ref: '#/$defs/x' } }), $defs: { x: { type: 'number' } } }),
    lines: ['! parameter p: type was string, is number'],
  },
  {
    name: 'another type behind a reference deep inside',
    before: tool({
      ...object({ p: { type: 'array', items: { $ref: '#/$defs/x' } } }),
      $defs: { x: { ...object({ self: { $ref: '#/$defs/x' }, a: text }) } },
    }),
    now: tool({
      ...object({ p: { type: 'array', items: { $ref: '#/$defs/x' } } }),
      $defs: { x: { ...object({ self: { $ref: '#/$defs/x' }, a: { type: 'null' } }) } },
    }),
    lines: ['! parameter p[].a: type was string, is null'],
  },
  {
    name: 'an undeclared parameter that is no longer let through',
    before: tool(object({})),
    now: tool({ ...object({}), additionalProperties: false }),
    usage: giving('extra'),
    lines: ['- parameter extra is gone'],
  },
  {
    name: 'a result field gone that the code names',
    before: tool(object({}), { outputSchema: object({ a: text }) }),
    now: tool(object({}), { outputSchema: object({}) }),
    usage: { words: new Set(['a']) },
    lines: ['- result field a is gone'],
  },
  {
    name: 'a result field of another type',
    before: tool(object({}), { outputSchema: object({ a: text }) }),
    now: tool(object({}), { outputSchema: object({ a: { type: 'array' } }) }),
    lines: ['! result field a: another type'],
  },
];

describe('compareDefinitions', () => {
  test.each(COMPATIBLE)('compareDefinitions accepts $name', ({ before, now, usage, lines }) => {
    const change = compareDefinitions(before, now, usage);

    expect(change.kind).toBe('compatible');
    expect(change.lines).toEqual(lines);
  });

  test.each(INCOMPATIBLE)('compareDefinitions rejects $name', ({ before, now, usage, lines }) => {
    const change = compareDefinitions(before, now, usage);

    expect(change.kind).toBe('incompatible');
    expect(change.lines.slice(0, lines.length)).toEqual(lines);
  });

  test('compareDefinitions finds no change in the same definition and escapes hidden characters in a changed one', () => {
    const hidden = tool(object({ 'a\u202Eb': text }, ['a\u202Eb']));

    expect(compareDefinitions(path, { ...path })).toEqual({ kind: 'same', lines: [] });
    expect(compareDefinitions(path, hidden).lines.join()).not.toContain('\u202E');
  });

  test('compareDefinitions terminates on recursive schemas and accepts every equal one', () => {
    const self = tool({ ...object({ p: { $ref: '#' } }), $defs: {} });
    const schema = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<JsonObject>({ type: 'string' }, { enum: [1, 'a'] }, { $ref: '#' }, {}),
        fc.record({ type: fc.constant('array'), items: tie('schema') }),
        fc.record({
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'default'), tie('schema')),
        }),
      ),
    })).schema;

    expect(compareDefinitions(self, { ...self, hash: 'x' }).kind).toBe('compatible');
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('p', 'q'), schema), (properties) => {
        const before = tool(object(properties));
        const now = { ...tool(structuredClone(before.inputSchema)), hash: 'other' };
        expect(compareDefinitions(before, now).kind).toBe('compatible');
      }),
    );
  });
});

describe('references', () => {
  const before = tool(object({ p: text }));

  test.each(LEADING)('compareDefinitions follows a reference to its type: %s', (_name, schema) => {
    const { lines } = compareDefinitions(before, tool(schema));

    expect(lines).toContain('! parameter p: type was string, is boolean');
  });

  test.each(MISLEADING)('a dangling reference has no type to compare: %s', (_name, schema) => {
    const { lines } = compareDefinitions(before, tool(schema));

    expect(lines.filter((line) => line.includes('type'))).toEqual([]);
  });

  test('compareDefinitions distinguishes definitions of the same name in two resources', () => {
    const two = (second: JsonObject) =>
      tool(
        object({
          a: { $id: 'a', $ref: '#/$defs/x', $defs: { x: { type: 'string' } } },
          b: { $id: 'b', $ref: '#/$defs/x', $defs: { x: second } },
        }),
      );

    const { lines } = compareDefinitions(two({ type: 'string' }), two({ type: 'null' }));

    expect(lines).toContain('! parameter b: type was string, is null');
  });
});

describe('names that mean something elsewhere', () => {
  test('compareDefinitions compares a definition that is named like an annotation keyword', () => {
    const choosing = (values: readonly string[]) =>
      tool({ ...object({ p: { $ref: '#/$defs/format' } }), $defs: { format: { enum: values } } });

    const { lines } = compareDefinitions(choosing(['a', 'b']), choosing(['a']));

    expect(lines).toContain('! parameter p: no longer takes "b"');
  });

  test('compareDefinitions compares fields of a value that are named like annotation keywords', () => {
    const taking = (title: string) => tool(object({ p: { const: { title } } }));

    const { lines } = compareDefinitions(taking('a'), taking('b'));

    expect(lines).toContain('! parameter p: no longer takes {"title":"a"}');
  });

  test('compareDefinitions reports a removed parameter that is named like an Object method', () => {
    const now = tool({ ...object({}), additionalProperties: false });

    const { lines } = compareDefinitions(tool(object({ toString: text })), now);

    expect(lines).toContain('- parameter toString is gone');
  });
});
