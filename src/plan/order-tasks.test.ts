import fc from 'fast-check';
import { expect, test } from 'vitest';

import { serverName, type Task, taskId, toolId } from '../core/index.js';
import { orderTasks } from './order-tasks.js';

const task = (id: string, needs: readonly string[] = []): Task => ({
  id: taskId(id),
  tool: toolId(serverName('fake'), 'tool'),
  args: {},
  needs: needs.map(taskId),
});

test('orderTasks puts tasks without needs in the first layer and their dependants after it', () => {
  const layers = orderTasks({ tasks: [task('c', ['a', 'b']), task('a'), task('b'), task('d')] });

  expect(layers.map((layer) => layer.map(({ id }) => id))).toEqual([['a', 'b', 'd'], ['c']]);
});

test('orderTasks names the tasks of a cycle and no others', () => {
  const tasks = [task('z', ['b']), task('b', ['c']), task('c', ['b']), task('free')];

  expect(() => orderTasks({ tasks })).toThrow(
    expect.objectContaining({
      code: 'PLAN_HAS_CYCLE',
      message: expect.stringContaining(': b → c → b'),
    }),
  );
});

test('orderTasks refuses a need that is not in the plan', () => {
  expect(() => orderTasks({ tasks: [task('a', ['ghost'])] })).toThrow(
    expect.objectContaining({ code: 'PLAN_INVALID' }),
  );
});

const acyclic = fc
  .array(fc.array(fc.nat(20), { maxLength: 4 }), { maxLength: 20 })
  .map((rows) =>
    rows.map((needs, index) =>
      task(
        `t${index}`,
        needs.filter((n) => n < index).map((n) => `t${n}`),
      ),
    ),
  )
  .chain((tasks) => fc.shuffledSubarray(tasks, { minLength: tasks.length }));

test('orderTasks puts every task after all its needs, whatever the order given', () => {
  fc.assert(
    fc.property(acyclic, (tasks) => {
      const layers = orderTasks({ tasks });
      const layerOf = new Map(layers.flatMap((layer, i) => layer.map((t) => [t.id, i] as const)));

      expect(layerOf.size).toBe(tasks.length);
      for (const { id, needs } of tasks) {
        for (const need of needs) expect(layerOf.get(need)).toBeLessThan(layerOf.get(id) ?? -1);
      }
    }),
  );
});
