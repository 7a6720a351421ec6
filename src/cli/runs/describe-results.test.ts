import { stripVTControlCharacters } from 'node:util';

import { expect, test } from 'vitest';

import { runDetails, taskInfo } from '../../../test/helpers/run-details.js';
import { describeRunEvent } from './describe-event.js';
import { describeRunHistory } from './describe-history.js';
import { describeRunResults } from './describe-results.js';

test('describeRunResults shows the result of every task or why it has none, and escapes foreign texts', () => {
  const { ms: _never, ...waiting } = taskInfo('c');
  const run = runDetails(
    [
      taskInfo('a', { result: 'first\n\u001B]0;title\u0007second' }),
      taskInfo('b', { status: 'failed', error: { code: 'TOOL_FAILED', message: 'no such file' } }),
      { ...waiting, status: 'skipped', because: 'needs `b`' },
    ],
    { status: 'failed' },
  );

  expect(describeRunResults(run).map((line) => stripVTControlCharacters(line))).toEqual([
    '✓ a files:a, 100 ms',
    '    first',
    String.raw`    \u{1b}]0;title\u{7}second`,
    '✗ b files:b, 100 ms',
    '    [TOOL_FAILED] no such file',
    '– c files:c, skipped',
    '    needs `b`',
    'run_abcdefghijkl failed: 1 of 3 tasks, 1.2 s',
  ]);
});

test('describeRunEvent writes one line, whatever the event contains', () => {
  const failed = { atMs: 1_500, type: 'task-failed', task: 'a', text: 'no\nway' } as const;

  expect(describeRunEvent(failed)).toBe(String.raw`   +1.5 s  a failed: no\u{a}way`);
  expect(describeRunEvent({ atMs: 0, type: 'decision-made', text: 'user: abort' })).toBe(
    '    +0 ms  decided by user: abort',
  );
  expect(describeRunEvent({ atMs: 9, type: 'run-finished', text: 'completed' })).toBe(
    '    +9 ms  run completed',
  );
});

test('describeRunHistory lists decisions and notes in the order they happened', () => {
  const run = runDetails([], {
    decisions: [{ atMs: 2_000, by: 'user', kind: 'approve', tasks: ['b'] }],
    messages: [{ atMs: 1_000, text: 'resumed' }],
  });

  expect(
    describeRunHistory(run)
      .slice(1)
      .map((line) => line.trim()),
  ).toEqual(['+1.0 s  resumed', '+2.0 s  user: approve b']);
  expect(describeRunHistory(runDetails([]))).toEqual([]);
});

test('describeRunResults gives each call of code one line and shows what the code returned in full', () => {
  const inner = taskInfo('c1', { result: 'part' });
  const failed = taskInfo('c2', { status: 'failed', error: { code: 'X', message: 'broke' } });
  const run = runDetails([inner, failed], { returned: { all: ['part'] } });

  const text = stripVTControlCharacters(describeRunResults(run).join('\n'));

  expect(text).toMatch(/^✓ c1 files:c1, 100 ms\n✗ c2 .*\n {4}\[X\] broke\n\{\n {2}"all": \[\n/);
});

test('describeRunResults shows what a script printed before what it returned', () => {
  const run = runDetails([taskInfo('c1', { result: 'part' })], {
    returned: 'whole',
    script: { logs: ['read 4', '[warn] odd\u0007'], operations: [] },
  });

  expect(describeRunResults(run).map((line) => stripVTControlCharacters(line))).toEqual([
    '✓ c1 files:c1, 100 ms',
    '│ read 4',
    String.raw`│ [warn] odd\u{7}`,
    'whole',
    'run_abcdefghijkl completed: 1 of 1 tasks, 1.2 s',
  ]);
});
