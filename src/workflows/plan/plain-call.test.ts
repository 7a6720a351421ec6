import { expect, test } from 'vitest';

import { runWorkflows, type RunWorkflowsOptions } from '../../../test/helpers/run-workflows.js';
import { plainCall } from './plain-call.js';

const listFiles = {
  name: 'list_files',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, filter: { type: 'object' } },
    required: ['path'],
  },
};

async function plain(task: object, options: RunWorkflowsOptions = {}, isReadOnly = false) {
  const { workflows } = await runWorkflows({ tools: [listFiles], ...options });
  return plainCall(workflows, [task], { isReadOnly });
}

test('a listed tool with all its arguments is a plain call', async () => {
  const call = await plain({ id: 'a', tool: 'fake:list_files', args: { path: '/' } });

  expect(call).toEqual({ id: 'a', tool: 'fake:list_files', args: { path: '/' }, needs: [] });
});

test.each<[string, object]>([
  ['an unknown tool', { tool: 'fake:nix' }],
  ['a tool of an unknown server', { tool: 'nowhere:list_files' }],
  ['a tool by the name that proxy mode lists', { tool: 'fake__list_files', args: { path: '/' } }],
  ['a tool of PML', { tool: 'pml:read_result', args: { handle: 'r_1' } }],
  ['a missing argument', { tool: 'fake:list_files' }],
  ['an argument of another type', { tool: 'fake:list_files', args: { path: 3 } }],
  ['a misspelt argument', { tool: 'fake:list_files', args: { path: '/', filtre: {} } }],
  ['a placeholder', { tool: 'fake:list_files', args: { path: '${a.path}' } }],
  ['a kept result', { tool: 'fake:list_files', args: { path: '/', filter: { $result: 'r_1' } } }],
])('a call with %s goes to the planner', async (_, task) => {
  expect(await plain(task)).toBeUndefined();
});

test('a call that the rules of the user deny goes to the planner', async () => {
  const changes = { permissions: { allow: ['*'], ask: [], deny: ['fake:list_*'] } };

  const task = { tool: 'fake:list_files', args: { path: '/' } };
  expect(await plain(task, { changes })).toBeUndefined();
});

test('a call that may write goes to the planner if the request may only read', async () => {
  expect(await plain({ tool: 'fake:write_a' }, {}, true)).toBeUndefined();
  expect(await plain({ tool: 'fake:read_a' }, {}, true)).toMatchObject({ tool: 'fake:read_a' });
});
