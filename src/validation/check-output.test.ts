import { expect, test } from 'vitest';

import { checkOutput } from './check-output.js';

const schema = { type: 'object', properties: { count: { type: 'integer' } } };

test('an answer that keeps the promise has no violation', () => {
  expect(checkOutput(schema, { content: [], structuredContent: { count: 1 } })).toEqual([]);
});

test('an answer that breaks it is told where', () => {
  expect(checkOutput(schema, { content: [], structuredContent: { count: 'one' } })).toEqual([
    { path: 'count', message: 'expected integer, got "one"' },
  ]);
});

test('an answer without structured content breaks it', () => {
  expect(checkOutput(schema, { content: [{ type: 'text', text: '{"count":1}' }] })).toEqual([
    { path: '', message: 'missing, though the tool declares an outputSchema' },
  ]);
});

test.each([
  ['that reports a failure', schema, { content: [], isError: true }],
  ['that asks something back', schema, { content: [], resultType: 'input_required' }],
  ['of a tool that promises nothing', undefined, { content: [] }],
])('an answer %s breaks nothing', (_what, declared, result) => {
  expect(checkOutput(declared, result)).toEqual([]);
});
