import { expect, test } from 'vitest';

import { type JsonObject, parseToolId, type Task, taskId } from '../../core/index.js';
import type { FilledPlan } from '../../planner/index.js';
import { repeatForListed } from './repeat-steps.js';

const task = (name: string, args: JsonObject, needs: readonly string[] = []): Task => {
  return { id: taskId(name), tool: parseToolId(`s:${name}`).id, args, needs: needs.map(taskId) };
};

/** A plan of the city that a request names, if it names just one. */
function weatherFor(...last: readonly Task[]) {
  return (intent: string): FilledPlan => {
    const [name, other] = intent.match(/Oslo|Rome/g) ?? [];
    const args: JsonObject = name !== undefined && other === undefined ? { name } : {};
    const tasks = [
      task('today', { zone: 'UTC' }),
      task('city', args),
      task('weather', { city: { $ref: 'city.id' }, day: '${today.date}' }, ['city', 'today']),
      ...last,
    ];
    const holes = other === undefined ? [] : [{ task: taskId('city'), param: 'name', type: '' }];
    return { plan: { tasks }, bindings: [], ambiguous: [], broken: [], holes, values: [] };
  };
}

function repeat(intent: string, fillFor: (intent: string) => FilledPlan): readonly Task[] {
  const isReading = (tool: Task['tool']) => !tool.endsWith('book');
  return repeatForListed(fillFor(intent), { intent, isReading, fillFor }).plan.tasks;
}

test('steps that take a listed value are repeated for each value, and others are not', () => {
  const tasks = repeat('compare the weather in Oslo and Rome', weatherFor());

  expect(tasks.map(({ id, args, needs }) => ({ id, args, needs }))).toEqual([
    { id: 'today', args: { zone: 'UTC' }, needs: [] },
    { id: 'city', args: { name: 'Oslo' }, needs: [] },
    {
      id: 'weather',
      args: { city: { $ref: 'city.id' }, day: '${today.date}' },
      needs: ['city', 'today'],
    },
    { id: 'city_2', args: { name: 'Rome' }, needs: [] },
    {
      id: 'weather_2',
      args: { city: { $ref: 'city_2.id' }, day: '${today.date}' },
      needs: ['city_2', 'today'],
    },
  ]);
});

test('no step is repeated that changes something', () => {
  const book = task('book', { city: { $ref: 'city.id' } }, ['city']);

  const tasks = repeat('book a hotel in Oslo and Rome', weatherFor(book));

  expect(tasks.map(({ id }) => id)).toEqual(['today', 'city', 'weather', 'book']);
});

test('a plan that takes all listed values stays as it is', () => {
  const both = (): FilledPlan => {
    const tasks = [task('compare', { cities: ['Oslo', 'Rome'] })];
    return { plan: { tasks }, bindings: [], ambiguous: [], broken: [], holes: [], values: [] };
  };

  expect(repeat('compare Oslo and Rome', both)).toHaveLength(1);
});
