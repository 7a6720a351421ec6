import { expect, test } from 'vitest';

import { type RunEvent, taskId, type TaskState, type ToolId } from '../../core/index.js';
import { TaskSpans } from './spans.js';

const a = taskId('a');
const b = taskId('b');
const result = { content: [] };
const state = (id: typeof a, needs: readonly (typeof a)[] = []): TaskState => ({
  task: { id, tool: 'files:read' as ToolId, args: {}, needs },
  attempts: 1,
  isApproved: false,
  status: 'completed',
  at: 0,
  ms: 0,
  result,
});

test('spans separate queueing, running and the pauses of retries', () => {
  const events: RunEvent[] = [
    { type: 'task-started', task: a, at: 1_010, repeatable: true },
    { type: 'task-retried', task: a, at: 1_030, because: 'timed out' },
    { type: 'task-started', task: a, at: 1_080, repeatable: true },
    { type: 'task-completed', task: a, at: 1_100, ms: 20, result },
    { type: 'task-started', task: b, at: 1_150, repeatable: true },
  ];

  const spans = new TaskSpans(events, 1_000);

  expect(spans.of(state(a))).toEqual({
    readyMs: 0,
    spans: [
      { startMs: 10, ms: 20, outcome: 'failed', error: 'timed out' },
      { startMs: 80, ms: 20, outcome: 'completed' },
    ],
  });
  expect(spans.of(state(b, [a]))).toEqual({
    readyMs: 100,
    spans: [{ startMs: 150, outcome: 'running' }],
  });
  expect(spans.lastStart(a)).toBe(80);
});

test('a call of a script is ready when the script makes it', () => {
  const { task } = state(b);
  const events: RunEvent[] = [
    { type: 'task-called', task, at: 1_040 },
    { type: 'task-started', task: b, at: 1_045, repeatable: true },
  ];

  expect(new TaskSpans(events, 1_000).of(state(b))).toMatchObject({ readyMs: 40 });
});

test('spans are never negative after the clock was set back', () => {
  const events: RunEvent[] = [
    { type: 'task-started', task: a, at: 900, repeatable: true },
    { type: 'task-failed', task: a, at: 800, ms: 7, error: { code: 'TOOL_FAILED', message: 'no' } },
  ];

  expect(new TaskSpans(events, 1_000).of(state(a))).toEqual({
    readyMs: 0,
    spans: [{ startMs: 0, ms: 7, outcome: 'failed', error: 'no' }],
  });
});
