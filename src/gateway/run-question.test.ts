import fc from 'fast-check';
import { expect, test } from 'vitest';

import { idleRun } from '../../test/helpers/begin-run.js';
import { text } from '../../test/helpers/fake-tools.js';
import { task } from '../../test/helpers/run-parts.js';
import type { JsonValue, ToolResult } from '../core/index.js';
import { describeQuestion, openTasks, resolvedOf } from './run-question.js';

test('a question shows each call with what it would be made with', async () => {
  const { live } = await idleRun(
    [task('found'), task('risky', ['found'], { args: { path: { $ref: 'found.path' } } })],
    { answers: { found: text('{"path":"/a"}') } },
  );

  const question = describeQuestion(live.state, openTasks(live.state));

  expect(question).toBe(
    'Run r1: 1 of 2 tasks are done.\n- task risky wants to call fake:risky with {"path":"/a"} (it is risky)',
  );
});

test('only the results a task takes something from are read', async () => {
  const unread: ToolResult = {
    content: [],
    get structuredContent(): JsonValue {
      throw new Error('read');
    },
  };
  const { live } = await idleRun([task('found'), task('risky', ['found'])]);
  const others = live.state.tasks.map((one) => ({
    ...one,
    task: task('other'),
    status: 'succeeded' as const,
    at: 0,
    ms: 0,
    result: unread,
  }));
  const state = { ...live.state, tasks: [...live.state.tasks, ...others] };

  expect(resolvedOf(state, task('risky', ['found'], { args: { a: { $ref: 'found' } } }))).toEqual({
    a: 'fake:found',
  });
});

test('a question stays short, and is text, whatever the arguments', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 2_000 }), async (value) => {
      const { live } = await idleRun([task('risky', [], { args: { value: value.repeat(3) } })]);

      const question = describeQuestion(live.state, openTasks(live.state));

      expect(question.length).toBeLessThan(1_000);
      expect(Buffer.from(question).toString()).toBe(question);
    }),
    { numRuns: 50 },
  );
});
