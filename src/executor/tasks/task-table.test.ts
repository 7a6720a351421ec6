import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { text } from '../../../test/helpers/fake-tools.js';
import { startOf, task } from '../../../test/helpers/run-parts.js';
import { type RunEvent, serverName, taskId, type TaskState } from '../../core/index.js';
import { applyEvent, foldEvents } from '../run-state.js';
import { TaskTable } from './task-table.js';

const IDS = ['a', 'b', 'c', 'd', 'e'] as const;
const FAKE = serverName('fake');

type Kind = 'task-started' | 'task-completed' | 'task-failed' | 'task-held' | 'task-retried';

function eventOf(kind: Kind, id: string): RunEvent {
  const of = { task: taskId(id), at: 0 };
  switch (kind) {
    case 'task-started':
      return { type: kind, ...of, repeatable: false };
    case 'task-completed':
      return { type: kind, ...of, ms: 1, result: text('done') };
    case 'task-failed':
      return { type: kind, ...of, ms: 1, error: { code: 'TOOL_FAILED', message: 'no' } };
    case 'task-held':
      return { type: kind, ...of, because: 'it is risky' };
    default:
      return { type: kind, ...of, because: 'again' };
  }
}

const shown = (table: TaskTable) => ({
  open: [...table.open()].map(told).toSorted(),
  running: [...table.running.values()].map(told).toSorted(),
  onServer: table.runningOn(FAKE),
  layers: IDS.map((id) => table.layerOf(taskId(id))),
});

const told = ({ task: { id }, status }: TaskState) => `${id} ${status}`;

describe('the table of tasks', () => {
  test('task table after any events equals one built from the resulting state', () => {
    const kinds = ['task-started', 'task-completed', 'task-failed', 'task-held', 'task-retried'];
    const steps = fc.array(
      fc.tuple(fc.constantFrom(...(kinds as Kind[])), fc.constantFrom(...IDS)),
      { maxLength: 30 },
    );

    fc.assert(
      fc.property(steps, (plan) => {
        let state = foldEvents([startOf([task('a'), task('b', ['a']), task('c')])]);
        const table = new TaskTable(state);
        for (const id of ['d', 'e']) {
          const called: RunEvent = { type: 'task-called', task: task(id), at: 0 };
          state = applyEvent(state, called);
          table.apply(called, state);
        }
        for (const [kind, id] of plan) {
          const event = eventOf(kind, id);
          state = applyEvent(state, event);
          table.apply(event, state);
        }
        expect(shown(table)).toEqual(shown(new TaskTable(state)));
      }),
    );
  });

  test('task table gives the first parked task of each server, and none that started', () => {
    const state = foldEvents([startOf([task('a', [], { tool: 'x@other' }), task('b'), task('c')])]);
    const table = new TaskTable(state);
    for (const one of state.tasks.toReversed()) table.park(one);
    expect([...table.open()]).toEqual([]);
    expect(table.parked().map(({ task: { id } }) => id)).toEqual(['a', 'c']);

    const started = eventOf('task-started', 'c');
    table.apply(started, applyEvent(state, started));

    expect(table.parked().map(({ task: { id } }) => id)).toEqual(['a', 'b']);
    expect(table.runningOn(FAKE)).toBe(1);
  });
});
