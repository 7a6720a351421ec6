import { expect, test } from 'vitest';

import { text } from '../../test/helpers/fake-tools.js';
import { startOf, statuses, task } from '../../test/helpers/run-parts.js';
import { type RunEvent, taskId, type ToolResult } from '../core/index.js';
import { foldEvents } from '../executor/index.js';
import { mendEvents } from './mend-events.js';

const nonsense = { content: [null] } as unknown as ToolResult;
const pay = taskId('pay');
const started: RunEvent = { type: 'task-started', task: pay, at: 0, repeatable: false };
const succeeded = (result: ToolResult): RunEvent => {
  return { type: 'task-succeeded', task: pay, at: 1, ms: 1, result };
};

test('mendEvents makes a recorded answer that no tool may give the failure of its call', () => {
  const state = foldEvents(mendEvents([startOf([task('pay')]), started, succeeded(nonsense)]));

  expect(state.tasks[0]).toMatchObject({
    status: 'failed',
    error: {
      code: 'SERVER_PROTOCOL_ERROR',
      message: expect.stringContaining('may or may not have been carried out') as string,
    },
  });
});

test('mendEvents mends the tasks of a checkpoint and drops nonsense beside an error', () => {
  const folded = foldEvents([startOf([task('pay')]), started, succeeded(nonsense)]);
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
  const events = [startOf([task('pay')]), started, succeeded(text('paid'))];

  expect(mendEvents(events)).toEqual(events);
});
