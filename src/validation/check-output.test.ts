import { expect, test } from 'vitest';

import { checkOutput } from './check-output.js';

const schema = { type: 'object', properties: { count: { type: 'integer' } } };

test('an output that satisfies its schema has no violation', () => {
  expect(checkOutput(schema, { content: [], structuredContent: { count: 1 } })).toEqual([]);
});

test('an output that violates its schema is reported with the place', () => {
  expect(checkOutput(schema, { content: [], structuredContent: { count: 'one' } })).toEqual([
    { path: 'count', message: 'expected integer, got "one"' },
  ]);
});

test('an output without structured content violates its schema', () => {
  expect(checkOutput(schema, { content: [{ type: 'text', text: '{"count":1}' }] })).toEqual([
    { path: '', message: 'missing, though the tool declares an outputSchema' },
  ]);
});

test.each([
  ['that reports a failure', schema, { content: [], isError: true }],
  ['that asks something back', schema, { content: [], resultType: 'input_required' }],
  ['of a tool that promises nothing', undefined, { content: [] }],
])('an output %s has no violation', (_what, declared, result) => {
  expect(checkOutput(declared, result)).toEqual([]);
});
