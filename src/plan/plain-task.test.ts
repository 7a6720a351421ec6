import fc from 'fast-check';
import { expect, test } from 'vitest';

import { parsePlan } from './parse-plan.js';
import { plainTask } from './plain-task.js';

const word = fc.oneof(fc.constantFrom('a', 't1', 'x y', '', 'files:read', 'nothing'), fc.string());
const task = fc.oneof(
  fc.record(
    { id: word, tool: word, args: fc.dictionary(word, fc.jsonValue({ maxDepth: 2 })) },
    { requiredKeys: [] },
  ),
  fc.dictionary(fc.constantFrom('id', 'tool', 'args', 'needs', 'name'), fc.jsonValue()),
  fc.jsonValue(),
);

test('a plain task is what the parser of plans reads, where both read one', () => {
  const check = fc.property(fc.array(task, { maxLength: 2 }), (tasks) => {
    const plain = plainTask(tasks);
    if (!plain || JSON.stringify(tasks).includes('$') || !/^\w+:./.test(plain.tool)) return;

    expect(parsePlan(tasks, { maxTasks: 1 }).tasks).toEqual([plain]);
  });

  fc.assert(check, { numRuns: 2_000 });
});

test.each([
  ['no list', { tool: 'files:read' }],
  ['two tasks', [{ tool: 'files:read' }, { tool: 'files:read' }]],
  ['a task that needs another', [{ tool: 'files:read', needs: ['a'] }]],
  ['a task with a timeout', [{ tool: 'files:read', timeout_ms: 5 }]],
  ['a task whose arguments are a text', [{ tool: 'files:read', args: '{}' }]],
  ['a task whose id is no id', [{ tool: 'files:read', id: 'a b' }]],
])('%s is no plain task', (_, tasks) => {
  expect(plainTask(tasks)).toBeUndefined();
});

test('a plain task without an id is the first task', () => {
  expect(plainTask([{ tool: 'files:read' }])).toEqual({
    id: 't1',
    tool: 'files:read',
    args: {},
    needs: [],
  });
});
