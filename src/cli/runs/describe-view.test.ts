import { stripVTControlCharacters } from 'node:util';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { runDetails, taskInfo } from '../../../test/helpers/run-details.js';
import type { RunDetails } from '../../control/index.js';
import { describeRunView, type ViewOptions } from './describe-view.js';

const view = (run: RunDetails, options: ViewOptions) =>
  describeRunView(run, options).map((line) => stripVTControlCharacters(line));

test('the view of a run shows tasks by layer, with time bars and dependencies', () => {
  const run = runDetails([
    taskInfo('save', { layer: 1, needs: ['list', 'note'], startMs: 100, ms: 100 }),
    taskInfo('list'),
    taskInfo('note', { ms: 50 }),
  ]);

  const lines = view(run, { columns: 66 });

  expect(lines[0]).toMatch(/^run_abcdefghijkl completed: 3 of 3 tasks, 1\.2 s, started 2026-/);
  expect(lines.slice(1)).toEqual([
    '✓ list    files:list  ██████████            100 ms',
    '✓ note    files:note  █████                 50 ms',
    '  ✓ save  files:save            ██████████  100 ms  ← list, note',
  ]);
});

test('the view of a run shows below a capability what its code called and printed', () => {
  const code = (operation: string, afterCall: number, text: string) => ({
    logs: [text],
    operations: [{ operation, line: 2, times: 3, afterCall }],
  });
  const run = runDetails(
    [
      taskInfo('c1', { tool: 'cap:outer', script: code('code:filter', 1, 'outer said') }),
      taskInfo('c2', {
        tool: 'cap:inner',
        parent: 'c1',
        script: code('code:map', 0, 'a\u001B[2K'),
      }),
      taskInfo('c3', { parent: 'c2' }),
      taskInfo('c5'),
      taskInfo('c4', { parent: 'c1' }),
    ],
    { script: code('code:sort', 2, 'main said') },
  );

  const shown = view(run, { columns: 80 });
  const live = view(run, { columns: 80, rows: 20 });

  expect(shown.slice(1).map((line) => line.replace(/ +█.*/, ''))).toEqual([
    '✓ c1      cap:outer',
    '  ✓ c2    cap:inner',
    '    ~ code:map in line 2, 3 times',
    '    ✓ c3  files:c3',
    String.raw`    │ a\u{1b}[2K`,
    '  ~ code:filter in line 2, 3 times',
    '  ✓ c4    files:c4',
    '  │ outer said',
    '✓ c5      files:c5',
    '~ code:sort in line 2, 3 times',
    '│ main said',
  ]);
  expect(live).toHaveLength(6);
});

test('the view of a run shows below a task the reason for its state and the number of attempts', () => {
  const run = runDetails(
    [
      taskInfo('a', {
        status: 'failed',
        attempts: 3,
        error: { code: 'TOOL_FAILED', message: 'disk full\u001B[2K' },
      }),
      taskInfo('b', { status: 'skipped', attempts: 0, because: 'needs `a`, which failed' }),
      taskInfo('c', { status: 'running', progress: '3 of 7' }),
    ],
    { status: 'running' },
  );

  const text = view(run, { columns: 100 }).join('\n');

  expect(text).toContain('100 ms, 3 attempts');
  expect(text).toContain(String.raw`  [TOOL_FAILED] disk full\u{1b}[2K`);
  expect(text).toContain('  needs `a`, which failed');
  expect(text).toContain('  3 of 7');
  expect(text).toContain('▒');
});

test('the view of a run omits a pause from the bars and mentions it', () => {
  const run = runDetails([
    taskInfo('a'),
    taskInfo('b', { layer: 1, needs: ['a'], startMs: 3_600_100 }),
  ]);

  expect(view(run, { columns: 100 }).at(-1)).toMatch(/^Bars leave out 60 min in which nothing ran/);
});

test('a live view fits the terminal and prefers tasks that still run', () => {
  const done = Array.from({ length: 40 }, (_, place) => taskInfo(`done${place}`));
  const open = taskInfo('now', { status: 'running', layer: 1 });

  const lines = view(runDetails([...done, open], { status: 'running' }), { columns: 60, rows: 10 });

  expect(lines.length).toBeLessThanOrEqual(10);
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines[1]).toBe('✓ 40 completed or skipped');
  expect(lines[2]).toContain('▶ now');
});

test('the view of a run has no row wider than the terminal, unless the terminal is tiny', () => {
  const names = fc.string({ minLength: 1, maxLength: 64 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(names, fc.nat(9), fc.nat(1e6), fc.nat(1e6)), { maxLength: 8 }),
      fc.integer({ min: 60, max: 200 }),
      (tasks, columns) => {
        const run = runDetails(
          tasks.map(([id, layer, startMs, ms]) =>
            taskInfo(id, { layer, startMs, ms, needs: [id] }),
          ),
        );
        const rows = view(run, { columns, rows: 100 }).slice(1);
        for (const row of rows) expect(row.length).toBeLessThanOrEqual(columns);
      },
    ),
  );
});
