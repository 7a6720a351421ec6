import { expect, test } from 'vitest';

import { idleRun } from '../../../test/helpers/begin-run.js';
import { text } from '../../../test/helpers/fake-tools.js';
import { task } from '../../../test/helpers/run-parts.js';
import { PmlError, taskId, type ToolId } from '../../core/index.js';
import { describeEvent, describeRun, describeRunDetails } from './describe.js';

const LONG = 'x'.repeat(10_000);

async function viewOf(...args: Parameters<typeof idleRun>) {
  const { live } = await idleRun(...args);
  const { state, phase, events } = live;
  return { view: { state, phase, live }, events };
}

test('the description of a paused run has its question', async () => {
  const { view } = await viewOf([task('a'), task('risky', ['a'])]);
  const { state, phase } = view;

  expect(describeRun({ state, phase }, 50)).toMatchObject({
    status: 'needs_approval',
    ms: 50,
    counts: { completed: 1, needs_approval: 1 },
    question: expect.stringContaining('fake:risky') as string,
  });
});

test('[CLOCK-SET] no duration of a run is negative after the clock was set back', async () => {
  const { view, events } = await viewOf([task('a'), task('risky', ['a'])]);
  const { state, phase } = view;
  const later = { ...state, startedAt: 315_360_000_000 };

  const stopped = describeRunDetails({ state: later, phase }, events, { now: 50 });
  const live = describeRun({ ...view, state: later }, 50);

  const times = [stopped.ms, live.ms, ...stopped.tasks.flatMap(({ ms, startMs }) => [ms, startMs])];
  expect(times.filter((ms) => ms !== undefined && ms < 0)).toEqual([]);
  expect(live.ms).toBeLessThan(1_000_000);
});

test('a finished run gives its duration by its own clock, and an old record by its timestamps', async () => {
  const { view } = await viewOf([task('a')]);
  const { state, phase } = view;
  const finished = { at: 900, outcome: 'completed' } as const;

  const measured = { ...state, startedAt: 100, finished: { ...finished, ms: 7 } };
  const old = { ...state, startedAt: 100, finished };

  expect(describeRun({ state: measured, phase }, 0).ms).toBe(7);
  expect(describeRun({ state: old, phase }, 0).ms).toBe(800);
});

test('the description of a broken run has the reason', async () => {
  const { view } = await viewOf([task('a')]);
  const broken = new PmlError('JOURNAL_FAILED', 'disk full');

  expect(describeRun({ ...view, phase: 'broken', broken }, 0)).toMatchObject({
    status: 'failed',
    error: { code: 'JOURNAL_FAILED', message: 'disk full' },
  });
});

test('results and arguments are cut unless wanted in full, but never those of a held call', async () => {
  const { view, events } = await viewOf(
    [
      task('a', [], { args: { value: LONG } }),
      task('risky', ['a'], { args: { value: { $ref: 'a' } } }),
    ],
    { answers: { a: text(LONG) } },
  );

  const [cut, held] = describeRunDetails(view, events, { now: 0 }).tasks;
  const [whole] = describeRunDetails(view, events, { now: 0, isFull: true }).tasks;

  expect([cut?.args.length, cut?.result?.length]).toEqual([301, 301]);
  expect(held?.args).toBe(JSON.stringify({ value: LONG }));
  expect(whole?.result).toBe(LONG);
});

test('every event of a run has a description', async () => {
  const { view, events } = await viewOf([task('a'), task('b', ['a'])], {
    answers: { a: new PmlError('TOOL_FAILED', 'no') },
  });

  expect(events.map((event) => describeEvent(event, view.state))).toEqual([
    { atMs: 0, type: 'run-started' },
    { atMs: 0, type: 'task-started', task: 'a' },
    { atMs: 0, type: 'task-failed', task: 'a', text: 'no' },
    { atMs: 0, type: 'task-skipped', task: 'b', text: 'needs `a`, which failed' },
    { atMs: 0, type: 'run-finished', text: 'failed' },
  ]);
});

test('the description of a capability task has its logs, operations and inner calls', async () => {
  const { view, events } = await viewOf([task('a')]);
  const [one] = view.state.tasks;
  if (!one) throw new Error('no task');
  const operation = { operation: 'code:map' as ToolId, line: 3, times: 1, afterCall: 0 };
  const script = {
    logs: [{ level: 'warn', text: 'careful' } as const],
    operations: [{ ...operation, inputs: 1, outputs: 1, ms: 1 }],
  };
  const inside = { ...one, task: { ...one.task, id: taskId('b'), parent: taskId('a') } };
  const state = { ...view.state, tasks: [{ ...one, script }, inside] };

  const { tasks } = describeRunDetails({ ...view, state }, events, { now: 0 });

  expect(tasks).toMatchObject([
    { id: 'a', script: { logs: ['[warn] careful'], operations: [operation] } },
    { id: 'b', parent: 'a' },
  ]);
});
