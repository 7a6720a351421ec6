import { expect, test } from 'vitest';

import type { RunTaskInfo } from '../../../src/control/contract/runs.js';
import { callsOfRun, type SequenceStep, sequenceOf } from './call-sequence.js';

const task = (
  id: string,
  tool: string,
  startMs: number,
  ms: number,
  rest: Partial<RunTaskInfo> = {},
) =>
  ({
    id,
    tool,
    startMs,
    ms,
    needs: [],
    layer: 0,
    status: 'completed',
    attempts: 1,
    args: '{}',
    ...rest,
  }) satisfies RunTaskInfo;

const shape = (steps: readonly SequenceStep[]): unknown =>
  steps.map(({ calls, repeated }) => ({
    calls: calls.map(({ call, inside }) =>
      inside.length > 0 ? [call.name, shape(inside)] : call.name,
    ),
    ...(repeated.length > 0 && { repeated }),
  }));

const of = (...tasks: readonly RunTaskInfo[]) => shape(sequenceOf(callsOfRun(tasks)));

test('calls that overlap stand in one step, and each call of a tool has its number', () => {
  expect(
    of(task('a', 's:read', 0, 50), task('b', 's:read', 0, 60), task('c', 's:sum', 70, 5)),
  ).toEqual([{ calls: ['s:read#1', 's:read#2'] }, { calls: ['s:sum#1'] }]);
});

test('a call of the same tool right after itself is marked as repeated', () => {
  expect(of(task('a', 's:read', 0, 10), task('b', 's:read', 11, 10))).toEqual([
    { calls: ['s:read#1'] },
    { calls: ['s:read#2'], repeated: ['s:read'] },
  ]);
});

test('calls that only touch because of rounding stay one after the other', () => {
  expect(of(task('a', 's:a', 0, 10), task('b', 's:b', 9, 10))).toEqual([
    { calls: ['s:a#1'] },
    { calls: ['s:b#1'] },
  ]);
});

test('a call that needs another is not beside it, whatever the clock says', () => {
  expect(of(task('a', 's:a', 0, 10), task('b', 's:b', 0, 10, { needs: ['a'] }))).toEqual([
    { calls: ['s:a#1'] },
    { calls: ['s:b#1'] },
  ]);
});

test('calls of a capability stand inside its call', () => {
  expect(
    of(
      task('c', 'cap:x', 0, 100),
      task('i', 's:a', 10, 20, { parent: 'c' }),
      task('d', 's:b', 120, 5),
    ),
  ).toEqual([{ calls: [['cap:x#1', [{ calls: ['s:a#1'] }]]] }, { calls: ['s:b#1'] }]);
});

test('calls that did not start are left out', () => {
  const { startMs: _, ms: __, ...waiting } = task('w', 's:w', 0, 0, { status: 'waiting' });

  expect(of(waiting)).toEqual([]);
});
