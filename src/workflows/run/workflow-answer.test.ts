import { describe, expect, test } from 'vitest';

import { gatewaySettings } from '../../../test/helpers/gateway-settings.js';
import { keptResults } from '../../../test/helpers/kept-results.js';
import {
  asText,
  PmlError,
  runId,
  type RunState,
  type Task,
  taskId,
  type TaskStatus,
  type ToolId,
  type ToolResult,
} from '../../core/index.js';
import { runAnswer } from './workflow-answer.js';

const parts = { results: keptResults(), tools: { settings: gatewaySettings([]) } };

const aTask = (id: string, args: Task['args'] = {}, needs: readonly string[] = []): Task => ({
  id: taskId(id),
  tool: 'files:write' as ToolId,
  args,
  needs: needs.map(taskId),
});

function stateOf(
  tasks: readonly { task?: Task; status: TaskStatus }[],
  changes: Partial<RunState> = {},
): RunState {
  return {
    run: runId('run_1'),
    startedAt: 0,
    approve: 'risky',
    tasks: tasks.map(({ task, status }, index) => ({
      task: task ?? aTask(`t${index}`),
      attempts: 1,
      isApproved: false,
      ...status,
    })),
    decisions: [],
    messages: [],
    context: {},
    ...changes,
  };
}

const done = (result: ToolResult): { status: TaskStatus } => ({
  status: { status: 'completed', at: 1, ms: 1, result },
});
const finished = { finished: { at: 2, outcome: 'completed' } } as const;
const textOf = (answer: ToolResult) => asText(answer.content[0]?.['text']);

test('an answer with two hundred long results stays near the limit of one', () => {
  const text = 'x'.repeat(5_000);
  const results = Array.from({ length: 200 }, () => done({ content: [{ type: 'text', text }] }));

  const answer = runAnswer(parts, { state: stateOf(results, finished), phase: 'finished' });

  expect(textOf(answer).length).toBeLessThan(3 * parts.tools.settings.limits.resultBytes);
});

test('an answer has pictures behind the text, unchanged', () => {
  const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
  const one = done({ content: [{ type: 'text', text: 'seen' }, picture] });

  const answer = runAnswer(parts, { state: stateOf([one, one], finished), phase: 'finished' });

  expect(answer.content.slice(1)).toEqual([picture, picture]);
  expect(answer.structuredContent).toMatchObject({ tasks: { t0: { result: 'seen' } } });
});

test('an answer of a paused run shows the held call with its resolved arguments', () => {
  const found = done({ content: [], structuredContent: { path: '/a.txt' } });
  const held = {
    task: aTask('gone', { file: { $ref: 't0.path' } }, ['t0']),
    status: { status: 'needs_approval', because: 'its name says delete' },
  } as const;

  const answer = runAnswer(parts, { state: stateOf([found, held]), phase: 'paused' });

  expect(answer.isError).toBeUndefined();
  expect(answer.structuredContent).toMatchObject({
    status: 'needs_approval',
    run: 'run_1',
    asks: [
      {
        task: 'gone',
        tool: 'files:write',
        args: { file: '/a.txt' },
        why: 'its name says delete',
        decisions: ['approve', 'reject', 'abort'],
      },
    ],
    tasks: { t0: { status: 'completed' }, gone: { status: 'needs_approval' } },
  });
});

describe('what a pause tells the agent to do', () => {
  const held = {
    task: aTask('gone'),
    status: { status: 'needs_approval', because: 'a rule' },
  } as const;
  const paused = { state: stateOf([held]), phase: 'paused' } as const;

  test('an answer of a paused run says to ask the user', () => {
    expect(runAnswer(parts, paused).structuredContent).toMatchObject({
      next: expect.stringMatching(/^Ask the user/) as string,
    });
  });

  test.each([
    [
      'wait while the user is asked',
      { isUserAsked: true, needsPerson: () => false },
      /being asked/,
    ],
    [
      'send the user to the terminal where a person is demanded',
      { isUserAsked: false, needsPerson: () => true },
      /pml continue run_1 approve/,
    ],
  ])('an answer of a paused run says to %s', (_, who, next) => {
    expect(runAnswer(parts, paused, who).structuredContent).toMatchObject({
      asks: [{ by: 'person', why: 'a rule', decisions: ['wait', 'abort'] }],
      next: expect.stringMatching(next) as string,
    });
  });
});

// covers: RUN-IN-DOUBT
test('an answer shows a call in doubt with its arguments, and not as done', () => {
  const doubtful = {
    task: aTask('pay', { amount: 5 }),
    status: { status: 'in_doubt', at: 1, because: 'the process ended' },
  } as const;

  const answer = runAnswer(parts, { state: stateOf([doubtful]), phase: 'paused' });

  expect(answer.structuredContent).toMatchObject({
    status: 'needs_decision',
    asks: [{ task: 'pay', args: { amount: 5 }, decisions: ['retry', 'skip', 'abort'] }],
    tasks: { pay: { status: 'in_doubt' } },
  });
  expect(textOf(answer)).toContain('may or may not have been carried out');
});

test('an answer of a run whose journal failed is an error that says how to go on', () => {
  const broken = new PmlError('JOURNAL_FAILED', 'disk full');

  const answer = runAnswer(parts, {
    state: stateOf([{ status: { status: 'waiting' } }]),
    phase: 'broken',
    broken,
  });

  expect(answer.isError).toBe(true);
  expect(answer.structuredContent).toMatchObject({
    status: 'failed',
    error: { code: 'JOURNAL_FAILED', message: 'disk full' },
  });
  expect(textOf(answer)).toContain('pml_continue');
});

test('an answer shortens a long argument of a held call and gives a handle to read it all', async () => {
  const content = 'y'.repeat(5_000_000);
  const held = {
    task: aTask('t', { content }),
    status: { status: 'needs_approval', because: 'its name says delete' },
  } as const;

  const answer = runAnswer(parts, { state: stateOf([held]), phase: 'paused' });

  expect(JSON.stringify(answer).length).toBeLessThan(3 * parts.tools.settings.limits.resultBytes);
  const { asks } = answer.structuredContent as {
    asks: { args: { result: string; characters: number } }[];
  };
  const { text } = await parts.results.get(asks[0]!.args.result);
  expect(text).toBe(JSON.stringify({ content }));
});

test('an answer treats a text resource as text', () => {
  const resource = { uri: 'file:///a', text: 'z'.repeat(5_000_000) };
  const one = done({ content: [{ type: 'resource', resource }] });

  const answer = runAnswer(parts, { state: stateOf([one, one], finished), phase: 'finished' });

  expect(JSON.stringify(answer).length).toBeLessThan(3 * parts.tools.settings.limits.resultBytes);
  expect(answer.content.filter(({ type }) => type === 'resource_link')).toHaveLength(2);
});

test('repeated answers of a run keep its results once, while there is room', async () => {
  const kept = keptResults({ memoryBytes: 150_000 });
  const one = done({ content: [{ type: 'text', text: 'x'.repeat(100_000) }] });
  const state = stateOf([one, one], finished);
  const other = stateOf([done({ content: [{ type: 'text', text: 'y'.repeat(100_000) }] })]);
  const handleOf = (shown: RunState) => {
    const { structuredContent } = runAnswer(
      { ...parts, results: kept },
      { state: shown, phase: 'running' },
    );
    return JSON.stringify(structuredContent).match(/r_[\w-]+/)?.[0] ?? '';
  };

  const first = handleOf(state);
  const again = handleOf(state);
  handleOf(other);
  const anew = handleOf(state);

  expect(again).toBe(first);
  expect(anew).not.toBe(first);
  expect((await kept.get(anew)).text).toHaveLength(100_000);
});
