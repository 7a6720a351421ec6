import { expect, test } from 'vitest';

import { idleRun } from '../../../test/helpers/begin-run.js';
import { text } from '../../../test/helpers/fake-tools.js';
import { task } from '../../../test/helpers/run-parts.js';
import type { Task, ToolId } from '../../core/index.js';
import { BindingMemory, type PlannableTool } from '../../planner/index.js';
import { fillBeside } from './fill-beside.js';

const object = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

const [READ, COUNT] = ['fake:read', 'fake:count'] as ToolId[] as [ToolId, ToolId];
const TOOLS: ReadonlyMap<ToolId, PlannableTool> = new Map([
  [
    READ,
    {
      id: READ,
      inputSchema: object('path'),
      output: { schema: object('content'), source: 'declared' },
    },
  ],
  [COUNT, { id: COUNT, inputSchema: object('content') }],
]);

/** Fills a plan for a run that has read a table. */
async function filled(requirement: string, tasks: readonly Task[]) {
  const { live } = await idleRun(
    [task('table', [], { tool: 'read', args: { path: 'rows.csv' } })],
    {
      answers: { read: text('{"content":"a,b"}') },
    },
  );
  const fill = fillBeside({
    state: live.state,
    requirement,
    plannable: (ids) => new Map([...TOOLS].filter(([id]) => ids.includes(id))),
    isReading: () => true,
    givers: () => [READ],
  });
  const plan = { tasks, open: new Set(tasks.map(({ id }) => id)) };
  return fill(plan, { intent: requirement, tools: TOOLS, memory: new BindingMemory() });
}

test('a requirement that names a file gets a step that reads it, and the old result is not used', async () => {
  const { plan, holes } = await filled('count the words of config.json', [task('count')]);

  expect(holes).toEqual([]);
  expect(plan.tasks).toMatchObject([
    { id: 'read', tool: READ, args: { path: 'config.json' }, guessed: { path: {} } },
    { id: 'count', args: { content: { $ref: 'read.content' } }, needs: ['read'] },
  ]);
});

test('a requirement that names no other value uses the old result', async () => {
  const { plan } = await filled('count the words', [task('count')]);

  expect(plan.tasks).toMatchObject([
    { id: 'count', args: { content: { $ref: 'table.content' } }, needs: ['table'] },
  ]);
});

test.each([
  ['with the same arguments', 'count the words of rows.csv'],
  ['for others, without arguments of its own', 'count the words of it'],
])('a task that the run has done %s is left out, and its result is used', async (_, wanted) => {
  const { plan } = await filled(wanted, [
    task('again', [], { tool: 'read' }),
    task('count', ['again']),
  ]);

  expect(plan.tasks).toMatchObject([
    { id: 'count', args: { content: { $ref: 'table.content' } }, needs: ['table'] },
  ]);
});

test('a task of the plan gets an id that the run does not have', async () => {
  const { plan } = await filled('read other.txt', [
    task('table', [], { tool: 'read', args: {} }),
    task('count', ['table']),
  ]);

  expect(plan.tasks).toMatchObject([
    { id: 'table_2', args: { path: 'other.txt' } },
    { id: 'count', args: { content: { $ref: 'table_2.content' } } },
  ]);
});
