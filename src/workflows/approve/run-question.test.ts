import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { idleRun } from '../../../test/helpers/begin-run.js';
import { text } from '../../../test/helpers/fake-tools.js';
import { task } from '../../../test/helpers/run-parts.js';
import { type JsonValue, PmlError, type ToolResult } from '../../core/index.js';
import { openTasks } from './open-tasks.js';
import { describeQuestion, resolvedOf } from './run-question.js';

test('a question shows each call with its resolved arguments', async () => {
  const { live } = await idleRun(
    [task('found'), task('risky', ['found'], { args: { path: { $ref: 'found.path' } } })],
    { answers: { found: text('{"path":"/a"}') } },
  );

  const question = describeQuestion(live.state, openTasks(live.state));

  expect(question).toBe(
    'Allow this call?\n- fake:risky with {"path":"/a"} (it is risky) [task risky]\nThis is run r1: 1 of 2 tasks are completed: found → {"path":"/a"}.',
  );
});

test('a question shows values that PML filled in, also if a task is held for another reason', async () => {
  const guess = { source: 'literal', score: 0.7, because: 'names fit' } as const;
  const risky = { ...task('risky', [], { args: { city: 'Rome' } }), guessed: { city: guess } };
  const { live } = await idleRun([risky]);

  const question = describeQuestion(live.state, openTasks(live.state));

  expect(question).toContain('(it is risky); filled: risky.city = "Rome" (literal, 0.70)');
});

test('a question reads only results that a held task takes values from', async () => {
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
    status: 'completed' as const,
    at: 0,
    ms: 0,
    result: unread,
  }));
  const state = { ...live.state, tasks: [...live.state.tasks, ...others] };

  expect(resolvedOf(state, task('risky', ['found'], { args: { a: { $ref: 'found' } } }))).toEqual({
    a: 'fake:found',
  });
});

test('a question stays short and valid text, whatever the arguments', async () => {
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

describe('a question', () => {
  test('a question shows the intent of the agent on one short line', async () => {
    const { live } = await idleRun([task('risky')]);
    const intent = `tidy up\n- fake:read with {} \u202e${'x'.repeat(4_000)}`;

    const question = describeQuestion({ ...live.state, intent }, openTasks(live.state));

    const [asked, call, about = '', ...rest] = question.split('\n');
    expect(asked).toBe('Allow this call?');
    expect(call).toBe('- fake:risky with {} (it is risky) [task risky]');
    expect(about).toMatch(
      /^This is run r1 \(tidy up\\u\{a\}- fake:read .*… \(\d+ more characters\)\): 0 of 1 tasks are completed\.$/,
    );
    expect(about.length).toBeLessThan(190);
    expect(rest).toEqual([]);
  });

  test('a question keeps a short intent as it is', async () => {
    const { live } = await idleRun([task('risky')]);

    const question = describeQuestion({ ...live.state, intent: 'räum auf' }, []);

    expect(question).toBe('This is run r1 (räum auf): 0 of 1 tasks are completed.');
  });

  test('a question says how many characters of the arguments it omits, and shows invisible ones', async () => {
    const args = { path: '/tmp/\u202egpj.exe\u200b', rest: 'x'.repeat(1_000) };
    const { live } = await idleRun([task('risky', [], { args })]);

    const question = describeQuestion(live.state, openTasks(live.state));

    expect(question).toContain(String.raw`/tmp/\u{202e}gpj.exe\u{200b}`);
    expect(question).toMatch(/x… \(\d+ more characters\) \(it is risky\) \[task risky\]$/m);
  });

  test('a question shows the message of a server on the line of its call', async () => {
    const error = new PmlError('TOOL_FAILED', `no\n- task b: harmless ${'x'.repeat(5_000)}`);
    const { live } = await idleRun([task('a'), task('b', ['a'])], {
      approve: 'per_layer',
      answers: { a: error },
    });

    const question = describeQuestion(live.state, openTasks(live.state));

    expect(question.split('\n')).toHaveLength(4);
    expect(question.length).toBeLessThan(1_000);
  });
});
