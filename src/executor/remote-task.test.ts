import { expect, test } from 'vitest';

import { type RunEvent, runId, taskId, type ToolId } from '../core/index.js';
import { cutOffEvents } from './cut-off-events.js';
import { foldEvents } from './run-state.js';

const a = taskId('a');
const remote = { id: 'remote-1', era: 'modern' } as const;
const begun: readonly RunEvent[] = [
  {
    type: 'run-started',
    run: runId('run_1'),
    at: 0,
    tasks: [{ id: a, tool: 'far:write' as ToolId, args: {}, needs: [] }],
    approve: 'never',
    context: {},
  },
  { type: 'task-started', task: a, at: 1, repeatable: false },
];
const deferred: RunEvent = { type: 'task-deferred', task: a, at: 2, remote };

test('call that its server carries out as a task goes on after a crash, without doubt', () => {
  const state = foldEvents([...begun, deferred]);

  const events = cutOffEvents(state, 3);
  const after = foldEvents([...begun, deferred, ...events]);
  const again = foldEvents([
    ...begun,
    deferred,
    ...events,
    { type: 'task-started', task: a, at: 4, repeatable: false },
  ]);

  expect(events.map(({ type }) => type)).toEqual(['message-added', 'task-retried']);
  expect(after.tasks[0]).toMatchObject({ status: 'waiting', remote });
  expect(again.tasks[0]).toMatchObject({ status: 'running', remote });
  expect(cutOffEvents(again, 5).map(({ type }) => type)).toContain('task-retried');
});

test('call without a task of its server is in doubt after a crash', () => {
  const events = cutOffEvents(foldEvents(begun), 3);

  expect(events.map(({ type }) => type)).toEqual(['message-added', 'task-doubted']);
});

test('failed task of a server is not waited for again', () => {
  const error = { code: 'SERVER_CRASHED', message: 'gone' } as const;

  const state = foldEvents([
    ...begun,
    deferred,
    { type: 'task-failed', task: a, at: 3, ms: 1, error },
    { type: 'task-retried', task: a, at: 4, because: 'again' },
  ]);

  expect(state.tasks[0]).toMatchObject({ status: 'waiting' });
  expect(state.tasks[0]).not.toHaveProperty('remote');
});
