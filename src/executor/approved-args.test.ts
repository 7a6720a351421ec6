import { describe, expect, test } from 'vitest';

import { idleRun, newRun } from '../../test/helpers/begin-run.js';
import { deferred } from '../../test/helpers/deferred.js';
import { inTurn, text } from '../../test/helpers/fake-tools.js';
import { plainOptions, startOf, statuses, task } from '../../test/helpers/run-parts.js';
import { PmlError, type RunEvent, taskId, type ToolResult } from '../core/index.js';
import { LiveRun } from './live-run.js';
import { foldEvents } from './run-state.js';

const broken = new PmlError('SERVER_BROKEN', 'disk full');
const ids = (...names: readonly string[]) => names.map(taskId);
const fromContext = { args: { id: '${context.id}' } };

/** Two risky calls on a server that takes one at a time, both approved; the first is under way. */
async function secondOfTwo() {
  const first = deferred<ToolResult>();
  const run = newRun([task('riskyA'), task('riskyB', [], fromContext)], {
    context: { id: 'old' },
    serverConcurrency: () => 1,
    answers: { riskyA: () => first.promise },
  });
  run.live.start();
  await run.live.idle();
  await run.live.decide({ kind: 'approve', tasks: ids('riskyA', 'riskyB') }, 'human');
  const letGo = async () => {
    first.resolve(text('done'));
    await run.live.idle();
  };
  return { ...run, letGo };
}

describe('an approval counts for the arguments that were shown [SAFE-APPROVED-ARGS]', () => {
  test('an approved call that waits for a free slot is held again after the context changed', async () => {
    const { live, tools, letGo } = await secondOfTwo();

    await live.decide({ kind: 'inject', tasks: [task('more')] }, 'agent', {
      context: { id: 'IMPORTANT' },
    });
    await letGo();

    expect(tools.called).toEqual(['riskyA', 'more']);
    expect(live.state.tasks[1]).toMatchObject({
      status: 'needs_approval',
      isApproved: false,
      because: 'its arguments changed after it was approved; it is risky',
    });

    await live.decide({ kind: 'approve', tasks: ids('riskyB') }, 'human');
    await live.idle();
    expect(tools.called).toEqual(['riskyA', 'more', 'riskyB']);
  });

  test('an approved call that was skipped is held again when its failed dependency gets a result', async () => {
    const tasks = [
      task('a'),
      task('riskyP', ['a'], { args: { id: { $ref: 'a.id' } } }),
      task('q', ['riskyP']),
      task('b'),
      task('c', ['b']),
      task('d', ['c']),
    ];
    const { live, tools } = await idleRun(tasks, { approve: 'per_layer', answers: { a: broken } });
    await live.decide({ kind: 'approve', tasks: ids('riskyP', 'c') }, 'human');
    await live.idle();
    expect(statuses(live.state)).toMatchObject({ riskyP: 'skipped' });

    const result = { id: 'IMPORTANT' };
    await live.decide({ kind: 'skip', tasks: ids('a'), result }, 'agent');
    await live.idle();

    expect(statuses(live.state)).toMatchObject({ riskyP: 'needs_approval' });
    expect(tools.called).not.toContain('riskyP');
  });

  test('an approved call without references is held again when its failed dependency gets a result', async () => {
    const tasks = [task('a'), task('riskyP', ['a']), task('q', ['riskyP'])];
    const { live, tools } = await idleRun(tasks, { approve: 'per_layer', answers: { a: broken } });
    await live.decide({ kind: 'approve', tasks: ids('riskyP') }, 'human');
    await live.idle();

    await live.decide({ kind: 'skip', tasks: ids('a'), result: 'fine' }, 'agent');
    await live.idle();

    expect(statuses(live.state)).toMatchObject({ riskyP: 'needs_approval' });
    expect(tools.called).toEqual(['a']);
  });

  test('an approved call that failed is held again if it is retried with another context', async () => {
    const tasks = [task('riskyD', [], fromContext), task('e', ['riskyD'])];
    const { live, tools } = await idleRun(tasks, {
      approve: 'per_layer',
      context: { id: 'nothing' },
      answers: { riskyD: inTurn(broken, text('gone')) },
    });
    await live.decide({ kind: 'approve', tasks: ids('riskyD') }, 'human');
    await live.idle();
    expect(statuses(live.state)).toEqual({ riskyD: 'failed', e: 'needs_approval' });

    await live.decide({ kind: 'retry', tasks: ids('riskyD') }, 'agent', {
      context: { id: 'IMPORTANT' },
    });
    await live.idle();

    expect(statuses(live.state)).toMatchObject({ riskyD: 'needs_approval' });
    expect(tools.called).toEqual(['riskyD']);
  });

  test('a layer of harmless calls is held again after its arguments changed', async () => {
    const tasks = [task('a'), task('b', ['a'], fromContext), task('c', ['b'])];
    const { live, tools } = await idleRun(tasks, {
      approve: 'per_layer',
      context: { id: 'nothing' },
      answers: { b: inTurn(broken, text('gone')) },
    });
    await live.decide({ kind: 'approve', tasks: ids('b') }, 'human');
    await live.idle();

    await live.decide({ kind: 'retry', tasks: ids('b') }, 'agent', {
      context: { id: 'IMPORTANT' },
    });
    await live.idle();

    expect(statuses(live.state)).toMatchObject({ b: 'needs_approval' });
    expect(tools.called).toEqual(['a', 'b']);
  });
});

describe('an approval of unchanged arguments is not asked for twice [SAFE-APPROVED-ARGS]', () => {
  test('an approved call is not held again when an unrelated part of the context changed while it waited', async () => {
    const { live, tools, letGo } = await secondOfTwo();

    await live.decide({ kind: 'inject', tasks: [task('more')] }, 'agent', {
      context: { other: 1, id: 'old' },
    });
    await letGo();

    expect(tools.called).toEqual(['riskyA', 'riskyB', 'more']);
    expect(live.state.finished?.outcome).toBe('completed');
  });

  test('an approved call is not held again when it failed and is retried unchanged', async () => {
    const { live, tools } = await idleRun(
      [task('riskyD', [], fromContext), task('e', ['riskyD'])],
      {
        approve: 'per_layer',
        context: { id: 'x' },
        answers: { riskyD: inTurn(broken, text('gone')) },
      },
    );
    await live.decide({ kind: 'approve', tasks: ids('riskyD') }, 'human');
    await live.idle();

    await live.decide({ kind: 'retry', tasks: ids('riskyD') }, 'agent');
    await live.idle();

    expect(tools.called).toEqual(['riskyD', 'riskyD']);
    expect(statuses(live.state)).toEqual({ riskyD: 'completed', e: 'needs_approval' });
  });

  test('a layer that takes results of earlier layers is approved only once', async () => {
    const given = { args: { id: { $ref: 'a.id' } } };
    const tasks = [
      task('a'),
      task('riskyB', ['a'], given),
      task('c', ['a'], given),
      task('riskyD', ['riskyB']),
    ];
    const { live } = await idleRun(tasks, {
      approve: 'per_layer',
      answers: { a: text('{"id":7}') },
      serverConcurrency: () => 1,
    });
    await live.decide({ kind: 'approve', tasks: ids('riskyB', 'c') }, 'human');
    await live.idle();
    await live.decide({ kind: 'approve', tasks: ids('riskyD') }, 'human');
    await live.idle();

    expect(live.state.finished?.outcome).toBe('completed');
  });

  test('an approved call whose reference leads nowhere fails instead of being held again', async () => {
    const { live } = await idleRun([task('riskyA', [], fromContext)], { context: { x: 1 } });

    await live.decide({ kind: 'approve', tasks: ids('riskyA') }, 'human');
    await live.idle();

    expect(statuses(live.state)).toEqual({ riskyA: 'failed' });
  });
});

test.each([
  ['made once the user approved it', { other: 1 }, 'completed'],
  ['held again after its arguments changed [SAFE-APPROVED-ARGS]', { id: 'NEW' }, 'needs_approval'],
])('a script call is %s', async (_, context, status) => {
  const { tools, log } = newRun([], { answers: { riskyA: inTurn(broken, text('done')) } });
  const script = { code: '', args: {}, seed: 1 };
  const started = startOf([], { script, context: { id: 'old' } });
  const live = LiveRun.begin(started, { tools, log }, plainOptions);
  live.start();
  live.call(task('riskyA', [], fromContext));
  live.setScriptBusy(false);
  await live.idle();
  await live.decide({ kind: 'approve', tasks: ids('riskyA') }, 'human');
  await live.ended(taskId('riskyA'));

  await live.decide({ kind: 'retry', tasks: ids('riskyA') }, 'agent', { context });
  live.setScriptBusy(false);

  await expect.poll(() => statuses(live.state)).toEqual({ riskyA: status });
  await live.close(0);
});

describe('an approval in a journal of an earlier version', () => {
  const events: readonly RunEvent[] = [
    startOf([task('riskyA', [], fromContext)], { context: { id: 'old' } }),
    { type: 'task-held', task: taskId('riskyA'), at: 0, because: 'it is risky' },
    {
      type: 'decision-made',
      at: 0,
      by: 'human',
      command: { kind: 'approve', tasks: ids('riskyA') },
    },
  ];
  const other: RunEvent = {
    type: 'decision-made',
    at: 0,
    by: 'agent',
    command: { kind: 'inject', tasks: [task('more')] },
    context: { id: 'IMPORTANT' },
  };
  /** A checkpoint without recorded arguments. */
  const checkpoint: RunEvent = {
    type: 'run-checkpoint',
    state: {
      ...foldEvents(events),
      tasks: foldEvents(events).tasks.map(({ task: one, attempts }) => {
        return { task: one, attempts, isApproved: true, status: 'waiting' };
      }),
    },
  };

  test.each<[string, readonly RunEvent[], string]>([
    ['counts', events, 'completed'],
    ['does not count for other arguments', [...events, other], 'needs_approval'],
    ['does not count if a checkpoint replaced it', [checkpoint], 'needs_approval'],
  ])('an approval from an older journal %s', async (_, journal, status) => {
    const { tools, log } = newRun([]);
    const live = LiveRun.resume(journal, { tools, log }, plainOptions);
    live.start();
    await live.idle();

    expect(statuses(live.state)).toMatchObject({ riskyA: status });
  });
});
