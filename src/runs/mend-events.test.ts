import { expect, test } from 'vitest';

import { text } from '../../test/helpers/fake-tools.js';
import { startOf, statuses, task } from '../../test/helpers/run-parts.js';
import { type RunEvent, taskId, type ToolResult } from '../core/index.js';
import { foldEvents } from '../executor/index.js';
import { mendEvents } from './mend-events.js';

const nonsense = { content: [null] } as unknown as ToolResult;
const pay = taskId('pay');
const started: RunEvent = { type: 'task-started', task: pay, at: 0, repeatable: false };
const completed = (result: ToolResult): RunEvent => {
  return { type: 'task-completed', task: pay, at: 1, ms: 1, result };
};

test('mendEvents makes a recorded answer that no tool may give the failure of its call', () => {
  const state = foldEvents(mendEvents([startOf([task('pay')]), started, completed(nonsense)]));

  expect(state.tasks[0]).toMatchObject({
    status: 'failed',
    error: {
      code: 'SERVER_PROTOCOL_ERROR',
      message: expect.stringContaining('may or may not have been carried out') as string,
    },
  });
});

test('mendEvents mends the tasks of a checkpoint and drops nonsense beside an error', () => {
  const folded = foldEvents([startOf([task('pay')]), started, completed(nonsense)]);
  const error = { code: 'TOOL_FAILED', message: 'no' } as const;
  const failed: RunEvent = {
    type: 'task-failed',
    task: pay,
    at: 1,
    ms: 1,
    error,
    result: nonsense,
  };

  const mended = foldEvents(mendEvents([{ type: 'run-checkpoint', state: folded }]));
  const [, , other] = mendEvents([startOf([task('pay')]), started, failed]);

  expect(statuses(mended)).toEqual({ pay: 'failed' });
  expect(other).toEqual({ type: 'task-failed', task: pay, at: 1, ms: 1, error });
});

test('mendEvents leaves events with usable results as they are', () => {
  const events = [startOf([task('pay')]), started, completed(text('paid'))];

  expect(mendEvents(events)).toEqual(events);
});

test('mendEvents reads the words of earlier journals: events, states of tasks and outcomes', () => {
  const old = [
    startOf([task('pay')]),
    started,
    { type: 'task-succeeded', task: pay, at: 1, ms: 1, result: text('paid') },
    { type: 'run-finished', at: 2, outcome: 'succeeded' },
  ] as unknown as RunEvent[];

  const state = foldEvents(mendEvents(old));

  expect(statuses(state)).toEqual({ pay: 'completed' });
  expect(state.finished).toEqual({ at: 2, outcome: 'completed' });
});

test.each([
  ['succeeded', 'completed'],
  ['held', 'needs_approval'],
  ['doubtful', 'in_doubt'],
])('mendEvents reads a task that an earlier checkpoint calls %s as %s', (old, now) => {
  const { tasks, ...rest } = foldEvents([startOf([task('pay')]), started, completed(text('paid'))]);
  const aged = tasks.map((one) => ({ ...one, status: old }));
  const finished = { at: 2, outcome: 'cancelled' };
  const checkpoint = { type: 'run-checkpoint', state: { ...rest, tasks: aged, finished } };

  const state = foldEvents(mendEvents([checkpoint as unknown as RunEvent]));

  expect(statuses(state)).toEqual({ pay: now });
  expect(state.finished?.outcome).toBe('aborted');
});
