import { expect, test } from 'vitest';

import { text } from '../../../test/helpers/fake-tools.js';
import { runGateway } from '../../../test/helpers/run-gateway.js';
import type { ToolId } from '../../core/index.js';

const ID = 'fake:read_a' as ToolId;

test('a tool is the same object until something is learned of it', async () => {
  const { gateway } = await runGateway();
  const { planning } = gateway;
  const toolOf = () => planning.tools([ID]).get(ID);
  const before = toolOf();

  planning.observe(ID, text('{"name":"x"}'));
  await expect.poll(() => toolOf()?.output?.source).toBe('observed');

  expect(before?.output).toBeUndefined();
  expect(toolOf()).toBe(toolOf());
});

test('a new definition of a tool is a new tool', async () => {
  const { gateway, list } = await runGateway();
  const before = gateway.planning.tools([ID]).get(ID);

  list([{ name: 'read_a', description: 'new', inputSchema: { type: 'object' } }]);

  expect(before?.description).toBeUndefined();
  expect(gateway.planning.tools([ID]).get(ID)?.description).toBe('new');
});

test('a declared shape is believed, whatever is observed', async () => {
  const outputSchema = { type: 'object', properties: { a: { type: 'string' } } };
  const tool = { name: 'declared', inputSchema: { type: 'object' }, outputSchema };
  const { gateway } = await runGateway({ tools: [tool] });
  const id = 'fake:declared' as ToolId;

  gateway.planning.observe(id, text('{"b":1}'));

  expect(gateway.planning.tools([id]).get(id)?.output).toEqual({
    schema: outputSchema,
    source: 'declared',
  });
});
