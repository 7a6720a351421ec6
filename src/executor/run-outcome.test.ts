import { describe, expect, test } from 'vitest';

import { idleRun } from '../../test/helpers/begin-run.js';
import { startOf, task } from '../../test/helpers/run-parts.js';
import {
  PmlError,
  type RunCommand,
  type RunEvent,
  taskId,
  toolId,
  serverName,
} from '../core/index.js';
import { outcomeOf } from './run-outcome.js';
import { foldEvents } from './run-state.js';
import { summarizeRun } from './summarize-run.js';

const reject = (...names: readonly string[]): RunCommand => ({
  kind: 'reject',
  tasks: names.map(taskId),
});

// covers: RUN-DECISIONS
describe('the outcome of a run with a rejected task', () => {
  test('a run with a rejected task is rejected when all other tasks succeeded or depended on it', async () => {
    const { live } = await idleRun([task('a'), task('riskyB', ['a']), task('c', ['riskyB'])]);

    await live.decide(reject('riskyB'), 'human');
    await live.idle();

    expect(live.state.finished?.outcome).toBe('rejected');
    expect(live.state.tasks[1]).toMatchObject({ status: 'skipped', rejectedBy: 'human' });
    expect(live.state.tasks[2]).not.toHaveProperty('rejectedBy');
    expect(summarizeRun(live.state, live.phase).status).toBe('rejected');
  });

  test('a run with a rejected task is failed when another task failed by itself', async () => {
    const answers = { bad: new PmlError('SERVER_BROKEN', 'disk full') };
    const { live } = await idleRun([task('bad'), task('riskyB')], { answers });

    await live.decide(reject('riskyB'), 'human');
    await live.idle();

    expect(live.state.finished?.outcome).toBe('failed');
  });

  test('a run with a rejected task is aborted when the user aborts it afterwards', async () => {
    const { live } = await idleRun([task('riskyA'), task('riskyB')]);

    await live.decide(reject('riskyA'), 'human');
    await live.decide({ kind: 'abort' }, 'human');
    await live.idle();

    expect(live.state.finished?.outcome).toBe('aborted');
  });
});

describe('the outcome of a script with a rejected call', () => {
  const call = { ...task('c1'), tool: toolId(serverName('fake'), 'pay') };
  const script = { code: 'x', args: {}, seed: 1 };
  const ended = (message: string): readonly RunEvent[] => [
    startOf([], { script }),
    { type: 'task-called', task: call, at: 1 },
    { type: 'task-held', task: call.id, at: 1, because: 'risky' },
    {
      type: 'decision-made',
      at: 2,
      by: 'user',
      command: { kind: 'reject', tasks: [call.id], because: 'too dear' },
    },
    {
      type: 'script-ended',
      at: 3,
      end: { status: 'failed', error: { code: 'CODE_FAILED', message } },
      logs: [],
      operations: [],
    },
  ];

  test('a script with a rejected call is rejected when it ends with the rejection', () => {
    const message = 'ToolError [TOOL_DENIED]: fake:pay: rejected by the user: too dear';

    expect(outcomeOf(foldEvents(ended(message)))).toBe('rejected');
  });

  test('a script with a rejected call is failed when it caught the rejection and failed for another reason', () => {
    expect(outcomeOf(foldEvents(ended('TypeError: x is undefined')))).toBe('failed');
  });
});

test('a journal of an earlier version keeps the outcome it recorded', () => {
  const old: readonly RunEvent[] = [
    startOf([task('riskyA')]),
    { type: 'task-held', task: taskId('riskyA'), at: 1, because: 'it is risky' },
    { type: 'decision-made', at: 2, by: 'human', command: reject('riskyA') },
    { type: 'message-added', at: 2, text: 'noted' },
    { type: 'run-finished', at: 3, outcome: 'failed' },
  ];

  const state = foldEvents(old);

  expect(summarizeRun(state, 'finished')).toMatchObject({ status: 'failed', messages: [] });
  expect(state.messages).toEqual([{ at: 2, text: 'noted' }]);
});
