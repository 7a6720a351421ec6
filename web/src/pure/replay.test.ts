import { expect, test } from 'vitest';

import type { ReplayedEvent, RunDetails, RunTaskInfo } from '../../../src/control/contract/runs.js';
import { runAt } from './replay.js';

const task = (id: string, rest: Partial<RunTaskInfo> = {}): RunTaskInfo => ({
  id,
  tool: 's:t',
  needs: [],
  layer: 0,
  status: 'completed',
  attempts: 2,
  args: '{}',
  result: '"done"',
  ...rest,
});
const details: RunDetails = {
  run: 'run_1',
  status: 'completed',
  startedAt: '2026-11-17T10:00:00.000Z',
  ms: 50,
  counts: { completed: 2 },
  tasks: [task('a'), task('called', { parent: 'a', attempts: 1 })],
  decisions: [{ atMs: 30, by: 'user', kind: 'retry', tasks: ['a'] }],
  messages: [],
};
const EVENTS: readonly ReplayedEvent[] = [
  { place: 0, atMs: 0, type: 'run-started' },
  { place: 1, atMs: 5, type: 'task-started', task: 'a', status: 'running' },
  { place: 2, atMs: 10, type: 'task-failed', task: 'a', status: 'failed', text: 'no' },
  { place: 3, atMs: 30, type: 'task-started', task: 'a', status: 'running' },
  { place: 4, atMs: 35, type: 'task-called', task: 'called', status: 'waiting' },
  { place: 5, atMs: 36, type: 'task-started', task: 'called', status: 'running' },
  { place: 6, atMs: 40, type: 'task-completed', task: 'called', status: 'completed' },
  { place: 7, atMs: 45, type: 'task-completed', task: 'a', status: 'completed' },
];
const at = (place: number) => runAt(details, EVENTS, place);

test('replay shows every task waiting and no result before the first event', () => {
  expect(at(1).tasks).toEqual([expect.objectContaining({ id: 'a', status: 'waiting' })]);
  expect(at(1).tasks[0]).not.toHaveProperty('result');
});

test('replay shows a failed attempt without the later result', () => {
  expect(at(3).tasks[0]).toMatchObject({
    status: 'failed',
    attempts: 1,
    spans: [{ startMs: 5, ms: 5, outcome: 'failed', error: 'no' }],
  });
  expect(at(3).decisions).toEqual([]);
});

test('replay shows a call of a script when the script makes it', () => {
  expect(at(4).tasks.map(({ id }) => id)).toEqual(['a']);
  expect(at(5).tasks.map(({ id }) => id)).toEqual(['a', 'called']);
});

test('replay shows the final run after the last event', () => {
  const [first] = at(8).tasks;

  expect(first).toMatchObject({ status: 'completed', result: '"done"' });
  expect(first?.spans?.map(({ outcome }) => outcome)).toEqual(['failed', 'completed']);
});
