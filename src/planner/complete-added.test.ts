import { expect, test } from 'vitest';

import { serverName, type Task, taskId, toolId, type ToolId } from '../core/index.js';
import { completeAdded } from './complete-added.js';
import { BindingMemory } from './flow/binding-memory.js';
import { completePlan } from './flow/complete-plan.js';
import type { PlannableTool } from './plannable-tool.js';

const id = (name: string) => toolId(serverName('s'), name);
const object = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
});

const TOOLS: ReadonlyMap<ToolId, PlannableTool> = new Map(
  [
    { id: id('read'), inputSchema: object('path'), output: object('content') },
    { id: id('count'), inputSchema: object('content') },
  ].map(({ output, ...tool }): [ToolId, PlannableTool] => [
    tool.id,
    { ...tool, ...(output && { output: { schema: output, source: 'declared' as const } }) },
  ]),
);

const task = (name: string, tool: string, args = {}): Task => {
  return { id: taskId(name), tool: id(tool), args, needs: [] };
};

const OLD = task('old', 'read', { path: 'rows.csv' });

function completed(...tasks: readonly Task[]) {
  const asked = { tasks, open: new Set(tasks.map((one) => one.id)) };
  return completeAdded(asked, [OLD], (plan, existing) =>
    completePlan(plan, { tools: TOOLS, memory: new BindingMemory(), existing }),
  );
}

test('an added task takes the result of another added task, not the old result of the run', () => {
  const { plan, holes } = completed(
    task('new', 'read', { path: 'config.json' }),
    task('count', 'count'),
  );

  expect(holes).toEqual([]);
  expect(plan.tasks[1]).toMatchObject({
    args: { content: { $ref: 'new.content' } },
    needs: ['new'],
    guessed: { content: { source: 'inferred' } },
  });
});

test('an added task takes a result of the run if no other task is added', () => {
  const { plan, bindings } = completed(task('count', 'count'));

  expect(plan.tasks).toMatchObject([{ args: { content: { $ref: 'old.content' } } }]);
  expect(bindings).toMatchObject([{ from: 'old', to: 'count' }]);
});
