import { expect, test } from 'vitest';

import { serverName, taskId, toolId } from '../core/index.js';
import { fillResults, findResults, knownArgs } from './find-results.js';
import { resolveArgs } from './resolve-args.js';

const task = {
  id: taskId('me'),
  tool: toolId(serverName('a'), 'b'),
  args: { deep: [{ rows: { $result: 'r_1', path: 'rows[0:2]' } }], text: '${t1} and $${t1}' },
  needs: [taskId('t1')],
  results: { 'r_1 rows[0:2]': ['${t1}', { $ref: 't1' }, { $result: 'r_1', path: 'rows[0:2]' }] },
};

test('findResults finds result references at any depth', () => {
  const found = findResults(
    { a: [{ $result: 'r_1' }], b: { c: { $result: 'r_2', path: 'x' } } },
    'args',
  );

  expect(found).toEqual([
    { handle: 'r_1', path: '', at: 'args.a[0]' },
    { handle: 'r_2', path: 'x', at: 'args.b.c' },
  ]);
});

test.each([
  [{ $result: 'r_1', offset: 3 }, /only "path" may stand/],
  [{ $result: 'r_1', path: 3 }, /only "path" may stand/],
])('findResults reports the malformed reference %j', (value, problem) => {
  expect(findResults(value, 'args')).toMatchObject([{ problem: expect.stringMatching(problem) }]);
});

test.each([[{ $result: 7 }], [{ $result: 'ok', rows: 3 }], [{ result: 'r_1' }]])(
  'findResults treats %j as data',
  (value) => {
    expect(findResults(value, 'args')).toEqual([]);
    expect(fillResults(value, {})).toEqual(value);
  },
);

test('a result replaces its reference, and text in it that looks like a reference stays data', () => {
  const rows = task.results['r_1 rows[0:2]'];

  expect(knownArgs(task)).toEqual({ deep: [{ rows }], text: '${t1} and $${t1}' });
  expect(resolveArgs(task, new Map([[taskId('t1'), 'filled']]))).toEqual({
    deep: [{ rows }],
    text: 'filled and ${t1}',
  });
});

test('a reference stays as written when the task has no results', () => {
  const { results: _, ...bare } = task;

  expect(knownArgs(bare)).toBe(bare.args);
  expect(resolveArgs(bare, new Map([[taskId('t1'), 'x']]))).toMatchObject({ deep: task.args.deep });
});
