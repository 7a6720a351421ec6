import { describe, expect, test } from 'vitest';

import { PmlError } from '../core/index.js';
import { parsePlan } from './parse-plan.js';

const parse = (tasks: unknown) => parsePlan(tasks, { maxTasks: 5 });

function problemsOf(tasks: unknown): string {
  try {
    parse(tasks);
  } catch (error) {
    if (error instanceof PmlError && error.code === 'PLAN_INVALID') return error.message;
    throw error;
  }
  return '';
}

describe('a good plan', () => {
  test('parsePlan names tasks by position and derives needs from references', () => {
    const plan = parse([
      { tool: 'fs:read', args: { path: 'a.txt' } },
      { tool: 'fs:write', args: { text: { $ref: 't1.content' }, nested: [{ x: '${load.id}' }] } },
      { id: 'load', tool: 'db:load', needs: ['t1'] },
    ]);

    expect(plan.tasks.map(({ id, needs }) => [id, needs])).toEqual([
      ['t1', []],
      ['t2', ['t1', 'load']],
      ['load', ['t1']],
    ]);
  });

  test('parsePlan leaves shell text, schema references and escaped text unchanged', () => {
    const args = {
      command: 'echo ${HOME} $${t1.x} ${}',
      schema: { $ref: '#/definitions/t1' },
      url: { $ref: 'https://example.org/t1.json' },
    };

    const plan = parse([{ tool: 'a:b' }, { tool: 'sh:run', args }]);

    expect(plan.tasks[1]).toMatchObject({ args, needs: [] });
  });
});

describe('a bad plan', () => {
  // covers: RUN-CHECKED
  test('parsePlan reports every problem of a bad plan with its place', () => {
    const problems = problemsOf([
      { id: 'a', tool: 'read', need: ['b'] },
      { id: 'a', tool: 'fs:read', arguments: {}, args: [] },
      { tool: 'fs:read', args: { deep: [{ $ref: 'laod.x' }] }, needs: ['b', 3] },
      'fs:read',
      { id: 'load', tool: 'fs:read' },
    ]);

    expect(problems.split('\n')).toEqual([
      'tasks[1].id: `a` is already the id of tasks[0]',
      'tasks[0].need: unknown key; did you mean `needs`?',
      'tasks[0].tool: Expected `server:tool`, got `read`',
      'tasks[1].arguments: unknown key; did you mean `args`?',
      'tasks[1].args: expected an object, got an array',
      'tasks[2].needs[0]: no task `b`',
      'tasks[2].needs[1]: expected a task id, got `3`',
      'tasks[2].args.deep[0]: no task `laod`; did you mean `load`?',
      'tasks[3]: expected an object with a `tool`, got `"fs:read"`',
    ]);
  });

  test('parsePlan names a reference path that it cannot parse', () => {
    const problems = problemsOf([
      { tool: 'a:b' },
      { tool: 'a:b', args: { x: { $ref: 't1.a[' }, y: '${t1..a}' } },
    ]);

    expect(problems).toContain('tasks[1].args.x: `t1.a[` cannot be read from `[` on');
    expect(problems).toContain('tasks[1].args.y: `t1..a` cannot be read from `..a` on');
  });

  test.each([
    [undefined, 'expected an array of tasks, got nothing'],
    [{ tool: 'a:b' }, 'expected an array of tasks, got an object'],
    [[], 'holds no task'],
    [Array.from({ length: 6 }, () => ({ tool: 'a:b' })), '6 tasks, at most 5 may run'],
    [[{ id: 'a b', tool: 'a:b' }], 'tasks[0].id: expected letters, digits'],
    [[{}], 'tasks[0].tool: expected a string `server:tool`, got nothing'],
    [[{ tool: 'a:b', needs: 't1' }], 'tasks[0].needs: expected an array of task ids, got `"t1"`'],
  ])('parsePlan refuses %j', (tasks, problem) => {
    expect(problemsOf(tasks)).toContain(problem);
  });

  test('parsePlan refuses tasks that refer to each other or to themselves', () => {
    const circular = [
      { id: 'a', tool: 'x:y', args: { v: '${b}' } },
      { id: 'b', tool: 'x:y', args: { v: { $ref: 'a' } } },
    ];

    expect(() => parse(circular)).toThrow('a → b → a');
    expect(() => parse([{ tool: 'x:y', needs: ['t1'] }])).toThrow('t1 → t1');
  });

  test('parsePlan refuses absurdly nested arguments without exhausting the stack', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}`) as unknown;

    expect(problemsOf([{ tool: 'a:b', args: deep }])).toContain('nested deeper than 100 levels');
  });
});
