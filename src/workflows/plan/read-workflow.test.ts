import { expect, test } from 'vitest';

import type { JsonObject } from '../../core/index.js';
import { readContinue, readWorkflow } from './read-workflow.js';

test.each<[JsonObject, RegExp]>([
  [{}, /tasks is missing/],
  [{ capability: 'a', tasks: [] }, /not both/],
  [{ tasks: [], steps: [] }, /Unknown: steps/],
  [{ tasks: [], mode: 'fast' }, /mode: /],
  [{ tasks: [], approve: true }, /approve: /],
  [{ tasks: [], answer_within_ms: -1 }, /answer_within_ms: /],
  [{ tasks: [], answer_within_ms: 1.5 }, /answer_within_ms: /],
  [{ tasks: [], intent: 'x'.repeat(4_001) }, /intent: /],
  [{ tasks: [], context: [] }, /context: /],
])('a workflow like %j is refused, with what one looks like', (args, message) => {
  expect(() => readWorkflow(args)).toThrow(message);
  expect(() => readWorkflow(args)).toThrow(/pml_execute_workflow takes/);
});

test('an intent alone asks for a plan', () => {
  expect(readWorkflow({ intent: 'do it' })).toEqual({ intent: 'do it' });
});

test.each<[JsonObject, RegExp]>([
  [{ decision: 'yes' }, /decision: /],
  [{ run: 5 }, /run: /],
  [{ tasks: 'a' }, /tasks: /],
  [{ requirement: '' }, /requirement: /],
])('a decision like %j is refused, with what one looks like', (args, message) => {
  expect(() => readContinue(args)).toThrow(message);
  expect(() => readContinue(args)).toThrow(/pml_continue takes/);
});

test('what is right is read as it is', () => {
  const workflow = { tasks: [{ tool: 'a:b' }], mode: 'run', context: { a: [1, null] } };

  expect(readWorkflow(workflow)).toEqual(workflow);
  expect(readContinue({ run: 'r', decision: 'skip', result: null })).toMatchObject({
    result: null,
  });
});

test('a task of a decision may be an id, an object or an object written as JSON', () => {
  const tasks = ['a', { id: 'b' }, '{"id":"c","tool":"a:b"}', '{broken'];

  expect(readContinue({ run: 'r', tasks }).tasks).toEqual([
    'a',
    { id: 'b' },
    { id: 'c', tool: 'a:b' },
    '{broken',
  ]);
});
