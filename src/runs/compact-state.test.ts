import { expect, test } from 'vitest';

import { text } from '../../test/helpers/fake-tools.js';
import { startOf, task } from '../../test/helpers/run-parts.js';
import { type RunState, taskId, type ToolResult } from '../core/index.js';
import { foldEvents } from '../executor/index.js';
import { compactState } from './compact-state.js';

function stateWith(result: ToolResult): RunState {
  const type = result.isError ? 'task-failed' : 'task-completed';
  const error = { code: 'TOOL_FAILED', message: 'no' } as const;
  const ended = { type, task: taskId('a'), at: 1, ms: 1, result, error } as const;
  return foldEvents([startOf([task('a'), task('b')]), ended]);
}

const resultOf = ({ tasks }: RunState) => {
  const [first] = tasks;
  return first && 'result' in first ? first.result : undefined;
};

test('compactState keeps a short result unchanged', () => {
  const state = stateWith({ content: [], structuredContent: { id: 7 } });

  expect(compactState(state)).toEqual(state);
});

test('compactState keeps the beginning of a long result and its length, cut between characters', () => {
  const state = stateWith(text(`${'x'.repeat(499)}😀${'y'.repeat(500)}`));

  expect(resultOf(compactState(state))).toEqual(
    text(`${'x'.repeat(499)}… (1001 characters, no longer kept)`),
  );
});

test('compactState drops a picture even if its structured content is short', () => {
  const picture = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(100_000) };
  const state = stateWith({ content: [picture], structuredContent: { name: 'cat' } });

  expect(resultOf(compactState(state))).toEqual(text('{"name":"cat"}'));
});

test('compactState keeps a long failure a failure', () => {
  const state = stateWith({ ...text('x'.repeat(5_000)), isError: true });

  expect(compactState(state).tasks[0]).toMatchObject({
    status: 'failed',
    result: { isError: true },
  });
});

test('compactState keeps the result references of a task but not the results', () => {
  const args = { rows: { $result: 'r_1' } };
  const taken = { ...task('a'), args, results: { 'r_1 ': ['x'.repeat(5_000)] } };
  const state = foldEvents([startOf([taken])]);

  expect(compactState(state).tasks[0]?.task).toEqual({ ...task('a'), args });
});
