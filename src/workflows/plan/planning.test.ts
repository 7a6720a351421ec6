import { expect, test } from 'vitest';

import { text } from '../../../test/helpers/fake-tools.js';
import { offlineTools } from '../../../test/helpers/offline-tools.js';
import { type JsonObject, silentLogger, type ToolId } from '../../core/index.js';
import { Planning } from './planning.js';

const ID = 'fake:read_a' as ToolId;
const READ = { name: 'read_a', inputSchema: { type: 'object' } };

async function planningOf(...listed: readonly JsonObject[]) {
  const { tools, listRaw } = await offlineTools(['fake'], { onDefinitionChange: 'warn' });
  listRaw('fake', listed);
  const planning = new Planning(tools.catalog, silentLogger);
  return { planning, list: (...next: readonly JsonObject[]) => listRaw('fake', next) };
}

test('a tool is the same object until something is learned of it', async () => {
  const { planning } = await planningOf(READ);
  const toolOf = () => planning.tools([ID]).get(ID);
  const before = toolOf();

  planning.observe(ID, text('{"name":"x"}'));
  await expect.poll(() => toolOf()?.output?.source).toBe('observed');

  expect(before?.output).toBeUndefined();
  expect(toolOf()).toBe(toolOf());
});

test('a new definition of a tool is a new tool', async () => {
  const { planning, list } = await planningOf(READ);
  const before = planning.tools([ID]).get(ID);

  list({ ...READ, description: 'new' });

  expect(before?.description).toBeUndefined();
  expect(planning.tools([ID]).get(ID)?.description).toBe('new');
});

test('a declared shape is believed, whatever is observed', async () => {
  const outputSchema = { type: 'object', properties: { a: { type: 'string' } } };
  const { planning } = await planningOf({ ...READ, outputSchema });

  planning.observe(ID, text('{"b":1}'));

  expect(planning.tools([ID]).get(ID)?.output).toEqual({
    schema: outputSchema,
    source: 'declared',
  });
});
