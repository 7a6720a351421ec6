import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { configJsonSchema, configJsonSchemaText } from './json-schema.js';

test('the committed pml.schema.json is what the configuration schema says today', async () => {
  const committed = await readFile(new URL('../../pml.schema.json', import.meta.url), 'utf8');

  expect(committed, 'run `npm run build && node scripts/write-schema.mjs`').toBe(
    configJsonSchemaText(),
  );
});

test('the schema offers a mode name or an object as exposure and describes every limit', () => {
  const { properties } = configJsonSchema() as { properties: Record<string, never> };

  expect(properties['exposure']).toMatchObject({ anyOf: [{ type: 'string' }, { type: 'object' }] });
  expect(JSON.stringify(properties['limits'])).toContain('Longest wait for a tool call');
});
