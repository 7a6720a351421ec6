import { expect, test } from 'vitest';

import { runWorkflows } from '../../../test/helpers/run-workflows.js';
import type { JsonObject } from '../../core/index.js';
import { planWorkflow } from './plan-workflow.js';

const OPTIONS = { hasContext: false };
const SCHEMA = {
  type: 'object',
  properties: { path: { type: 'string' }, depth: { type: 'integer' } },
  required: ['path'],
  additionalProperties: false,
};
const listFiles = { name: 'list_files', inputSchema: SCHEMA };
const either = {
  name: 'either',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  },
};

const plan = async (tasks: unknown) => {
  const { workflows } = await runWorkflows({ tools: [listFiles, either] });
  return planWorkflow(workflows, tasks, OPTIONS);
};
const task = (id: string, tool: string, args: JsonObject = {}) => ({ id, tool, args });

test.each<[string, unknown, string, RegExp]>([
  ['no list', 'x', 'PLAN_INVALID', /tasks/],
  ['an unknown tool', [task('a', 'fake:nix')], 'TOOL_UNKNOWN', /task a: No tool fake:nix/],
  ['an unknown tool of ours', [task('a', 'pml:nix')], 'TOOL_UNKNOWN', /there is pml:read_result/],
  [
    'a wrong type',
    [task('a', 'fake:list_files', { path: 3 })],
    'ARGUMENTS_INVALID',
    /task a: args\.path/,
  ],
  [
    'a gap',
    [task('a', 'fake:list_files')],
    'ARGUMENTS_INVALID',
    /task a: args\.path is missing \(string\)/,
  ],
  ['neither of two', [task('a', 'fake:either')], 'ARGUMENTS_INVALID', /task a: args/],
])('a plan with %s is refused, and the error names the place', async (_, tasks, code, message) => {
  await expect(plan(tasks)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message) as string,
  });
});

test('problems of different kinds are reported together, at most twenty', async () => {
  const many = Array.from({ length: 9 }, (_, at) => task(`t${at}`, 'fake:nix'));
  const error = await plan([...many, task('z', 'nowhere:x')]).catch((one: unknown) => one);

  expect(error).toMatchObject({ message: expect.stringMatching(/t0.*t8.*task z/s) as string });
});

test('an error about a wrong argument is short, whatever the length of the argument', async () => {
  const tasks = [task('a', 'fake:list_files', { path: '/', depth: 'x'.repeat(1_000_000) })];

  const error = (await plan(tasks).catch((one: unknown) => one)) as Error;

  expect(error.message.length).toBeLessThan(500);
});

test('a plan without gaps stays as the client gave it', async () => {
  const { plan: made, bindings } = await plan([task('a', 'fake:list_files', { path: '/' })]);

  expect(made.tasks).toMatchObject([{ id: 'a', args: { path: '/' }, needs: [] }]);
  expect(bindings).toEqual([]);
});
