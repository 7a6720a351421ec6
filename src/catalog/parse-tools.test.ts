import { expect, test } from 'vitest';

import { parseTools, readAhead } from './parse-tools.js';

const good = { name: 'good', description: 'fine', inputSchema: { type: 'object' } };

test.each([
  ['no schema', {}, 'inputSchema is not an object'],
  ['a schema that is null', { inputSchema: null }, 'inputSchema is not an object'],
  ['a schema without type', { inputSchema: {} }, 'inputSchema.type must be "object"'],
  ['a schema of another type', { inputSchema: { type: 'array' } }, 'got "array"'],
  ['a bad output schema', { ...good, outputSchema: [] }, 'outputSchema is not an object'],
  ['a description that is no text', { ...good, description: 7 }, 'description is not a text'],
  ['annotations that are no object', { ...good, annotations: 'x' }, 'annotations is not an object'],
])('a tool with %s is quarantined with the reason, the others stay', (_what, broken, reason) => {
  const { tools, nameless } = parseTools([{ ...broken, name: 'bad' }, good]);

  expect(tools.map(({ definition, fault }) => [definition.name, fault])).toEqual([
    ['bad', expect.stringContaining(reason)],
    ['good', undefined],
  ]);
  expect(nameless).toBe(0);
});

test('parseTools only counts tools without a usable name', () => {
  const nameless = [null, 7, [], {}, { name: '' }, { name: 5 }, { name: 'x'.repeat(201) }];

  expect(parseTools([...nameless, good])).toMatchObject({
    tools: [{ fault: undefined }],
    nameless: nameless.length,
  });
});

test('parseTools keeps the first of two tools with one name', () => {
  const { tools } = parseTools([good, { ...good, description: 'an impostor' }]);

  expect(tools.map(({ definition }) => definition.description)).toEqual(['fine']);
});

test('parseTools accepts a tool that is named like an Object member', () => {
  const { tools } = parseTools([{ ...good, name: '__proto__' }]);

  expect(tools.map(({ definition }) => definition.name)).toEqual(['__proto__']);
});

test('a list that was read ahead gives the same tools, in slices', async () => {
  const list = () => [
    ...Array.from({ length: 3_000 }, (_, at) => ({
      ...good,
      name: `tool_${at}`,
      description: `sends the page number ${at} of the report, with all of its pictures`,
    })),
    { name: 'broken' },
    null,
  ];
  const ahead = list();
  let turns = 0;
  const count = setInterval(() => turns++, 0);

  await readAhead(ahead);
  clearInterval(count);

  expect(turns).toBeGreaterThan(0);
  expect(parseTools(ahead, () => 'refused')).toEqual(parseTools(list(), () => 'refused'));
});
