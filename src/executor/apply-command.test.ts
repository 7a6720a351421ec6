import { describe, expect, test } from 'vitest';

import { type BeginOptions, idleRun, newRun } from '../../test/helpers/begin-run.js';
import { deferred } from '../../test/helpers/deferred.js';
import { inTurn, never, text } from '../../test/helpers/fake-tools.js';
import { plainOptions, startOf, statuses, task } from '../../test/helpers/run-parts.js';
import {
  messageOf,
  PmlError,
  type RunCommand,
  type RunEvent,
  type Task,
  taskId,
  type ToolResult,
} from '../core/index.js';
import { LiveRun } from './live-run.js';
import { foldEvents } from './run-state.js';

const broken = new PmlError('SERVER_BROKEN', 'disk full');
const ids = (...names: readonly string[]) => names.map(taskId);

/** A run that `slow` keeps busy until `letGo`; all its other tasks are settled. */
async function busyRun(tasks: readonly Task[], { answers, ...options }: BeginOptions = {}) {
  const slow = deferred<ToolResult>();
  const run = newRun([...tasks, task('slow')], {
    ...options,
    answers: { slow: () => slow.promise, ...answers },
  });
  run.live.start();
  const isSettled = () =>
    run.live.state.tasks.every(
      ({ status, task: { id } }) => id === 'slow' || (status !== 'running' && status !== 'waiting'),
    );
  await expect.poll(isSettled).toBe(true);
  const letGo = async () => {
    slow.resolve(text('done'));
    await run.live.idle();
  };
  return { ...run, letGo };
}

/** A run with one task in each state that a decision can meet. */
async function everyState() {
  const tasks = [
    task('riskyHeld'),
    task('done'),
    task('bad'),
    task('after', ['bad']),
    task('later', ['riskyHeld']),
    task('doubt'),
    task('busy'),
  ];
  const events: RunEvent[] = [
    startOf(tasks),
    { type: 'task-started', task: taskId('doubt'), at: 0, repeatable: false },
  ];
  const { tools, log } = newRun([], { answers: { busy: never, bad: broken } });
  const live = LiveRun.resume(events, { tools, log }, plainOptions);
  live.start();
  await expect
    .poll(() => statuses(live.state))
    .toMatchObject({ after: 'skipped', done: 'completed' });
  expect(statuses(live.state)).toEqual({
    riskyHeld: 'needs_approval',
    done: 'completed',
    bad: 'failed',
    after: 'skipped',
    later: 'waiting',
    doubt: 'in_doubt',
    busy: 'running',
  });
  return live;
}

async function refusal(decided: Promise<void>): Promise<string | undefined> {
  try {
    await decided;
    return undefined;
  } catch (error) {
    return error instanceof PmlError ? `${error.code} ${error.message}` : messageOf(error);
  }
}

// covers: RUN-DECISIONS
describe('a decision', () => {
  const FITTING = {
    approve: ['riskyHeld'],
    reject: ['riskyHeld'],
    retry: ['bad', 'doubt'],
    skip: ['riskyHeld', 'bad', 'later', 'doubt'],
  } as const;
  const EVERY = ['riskyHeld', 'done', 'bad', 'after', 'later', 'doubt', 'busy'];

  test.each(Object.entries(FITTING))('a decision to %s fits only %s', async (kind, fitting) => {
    const refused = await Promise.all(
      EVERY.map(async (name) => {
        const live = await everyState();
        const before = live.events.length;
        const command = { kind, tasks: ids(name) } as RunCommand;
        const error = await refusal(live.decide(command, 'agent'));
        const isMade = live.events[before]?.type === 'decision-made';
        await live.close(0);
        return { name, isMade, error };
      }),
    );

    expect(refused.filter(({ isMade }) => isMade).map(({ name }) => name)).toEqual(fitting);
    expect(refused.filter(({ isMade, error }) => isMade === (error !== undefined))).toEqual([]);
    for (const { name, error = '' } of refused.filter(({ isMade }) => !isMade)) {
      expect(error).toContain(`BAD_REQUEST Cannot ${kind} task \`${name}\``);
    }
  });

  test('a decision about an unknown task names the tasks of the run', async () => {
    const { live } = await idleRun([task('riskyA'), task('b', ['riskyA'])]);

    await expect(live.decide({ kind: 'retry', tasks: ids('x') }, 'agent')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Run r1 has no task `x`; it has riskyA, b',
    });
  });

  test('a decision about several tasks applies to all of them or none', async () => {
    const { live } = await idleRun([task('riskyA'), task('riskyB')]);

    await expect(
      live.decide({ kind: 'approve', tasks: ids('riskyA', 'x') }, 'agent'),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });

    expect(statuses(live.state)).toEqual({ riskyA: 'needs_approval', riskyB: 'needs_approval' });
  });

  test('a second decision on the same question is refused, and the call is made once', async () => {
    const { live, tools } = await idleRun([task('riskyA')]);
    const command: RunCommand = { kind: 'approve', tasks: ids('riskyA') };

    const [first, second] = await Promise.allSettled([
      live.decide(command, 'human'),
      live.decide({ kind: 'reject', tasks: ids('riskyA') }, 'agent'),
    ]);
    await live.idle();

    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({
      reason: {
        code: 'RUN_DECIDED',
        message: expect.stringContaining('the human already decided: approve'),
      },
    });
    expect(tools.called).toEqual(['riskyA']);
  });

  test('a decision about a run that is being aborted or is over is refused', async () => {
    const busy = await busyRun([task('a')]);
    const abort: RunCommand = { kind: 'abort' };
    const first = busy.live.decide(abort, 'agent');
    const second = busy.live.decide(abort, 'human');
    await expect(second).rejects.toMatchObject({ code: 'RUN_DECIDED' });
    await first;
    await busy.live.idle();

    await expect(busy.live.decide(abort, 'agent')).rejects.toMatchObject({
      code: 'RUN_FINISHED',
      message: expect.stringContaining('already been aborted'),
    });
  });

  test('a decision is on disk before it counts as made, and its context is merged', async () => {
    const { live, log, tools } = await idleRun(
      [task('riskyA', [], { args: { to: '${context.to}', cc: '${context.cc}' } })],
      { context: { to: 'Ann', cc: 'Bob' } },
    );

    await live.decide({ kind: 'approve', tasks: ids('riskyA') }, 'human', {
      context: { cc: 'Cleo' },
    });
    const written = log.writes.flat().map(({ type }) => type);
    await live.idle();

    expect(written).toContain('decision-made');
    expect(live.state.context).toEqual({ to: 'Ann', cc: 'Cleo' });
    expect(tools.calls).toEqual([['fake:riskyA', { to: 'Ann', cc: 'Cleo' }]]);
    expect(foldEvents(log.writes.flat())).toEqual(live.state);
  });
});

describe('approving and rejecting', () => {
  test('approval lets a held task run', async () => {
    const { live, tools } = await idleRun([task('riskyA'), task('b', ['riskyA'])]);
    expect(live.phase).toBe('paused');
    expect(live.state.tasks[0]).toMatchObject({ status: 'needs_approval', because: 'it is risky' });

    await live.decide({ kind: 'approve', tasks: ids('riskyA') }, 'human');
    await live.idle();

    expect(tools.called).toEqual(['riskyA', 'b']);
    expect(live.state.finished?.outcome).toBe('completed');
  });

  test('rejection skips the task and its dependents, with the reason', async () => {
    const { live, tools } = await idleRun([task('riskyA'), task('b', ['riskyA']), task('c')]);

    await live.decide({ kind: 'reject', tasks: ids('riskyA'), because: 'too dear' }, 'human');
    await live.idle();

    expect(tools.called).toEqual(['c']);
    expect(live.state.tasks[0]).toMatchObject({ because: 'rejected by the human: too dear' });
    expect(live.state.tasks[1]).toMatchObject({ because: 'needs `riskyA`, which was skipped' });
    expect(live.state.finished?.outcome).toBe('rejected');
  });
});

describe('retrying', () => {
  test('retry revives every task that was skipped because of the failed one', async () => {
    const tasks = [
      task('bad'),
      task('b', ['bad']),
      task('c', ['b']),
      task('riskyR'),
      task('d', ['riskyR']),
    ];
    const run = await busyRun(tasks, {
      answers: { bad: inTurn(broken, text('now')), riskyR: broken },
      policyOf: () => ({ risk: 'write', repeatable: false }),
    });
    expect(statuses(run.live.state)).toMatchObject({ b: 'skipped', c: 'skipped', d: 'skipped' });

    await run.live.decide({ kind: 'retry', tasks: ids('bad') }, 'agent');
    await run.letGo();

    expect(statuses(run.live.state)).toEqual({
      bad: 'completed',
      b: 'completed',
      c: 'completed',
      riskyR: 'failed',
      d: 'skipped',
      slow: 'completed',
    });
  });

  test('retry does not revive a task that depends on a rejected one', async () => {
    const run = await busyRun([task('riskyA'), task('bad'), task('b', ['bad', 'riskyA'])], {
      answers: { bad: inTurn(broken, text('now')) },
    });
    await run.live.decide({ kind: 'reject', tasks: ids('riskyA') }, 'human');

    await run.live.decide({ kind: 'retry', tasks: ids('bad') }, 'agent');
    await run.letGo();

    expect(statuses(run.live.state)).toMatchObject({
      riskyA: 'skipped',
      bad: 'completed',
      b: 'skipped',
    });
  });
});

describe('skipping', () => {
  test('skip without a result also skips the dependents of the task', async () => {
    const run = await busyRun([task('bad'), task('b', ['bad'])], { answers: { bad: broken } });

    await run.live.decide({ kind: 'skip', tasks: ids('bad') }, 'agent');
    await run.letGo();

    expect(run.live.state.tasks[0]).toMatchObject({
      status: 'skipped',
      because: 'it failed (disk full) and was skipped by the agent',
    });
    expect(statuses(run.live.state)['b']).toBe('skipped');
  });

  test.each([
    ['a text', 'x-1', 'x-1'],
    ['an object', { id: 7 }, { id: 7 }],
    ['nothing', null, null],
  ])('skip with %s as its result passes that result to the dependents', async (_, result, seen) => {
    const run = await busyRun([task('bad'), task('b', ['bad'], { args: { v: '${bad}' } })], {
      answers: { bad: broken },
    });

    await run.live.decide({ kind: 'skip', tasks: ids('bad'), result }, 'agent');
    await run.letGo();

    expect(run.tools.calls.find(([tool]) => tool === 'fake:b')).toEqual(['fake:b', { v: seen }]);
    expect(run.live.state.finished?.outcome).toBe('completed');
  });
});

describe('adding tasks', () => {
  test.each<RunCommand>([
    { kind: 'inject', tasks: [task('b', ['a'], { args: { v: '${a}' } })] },
    { kind: 'replan', requirement: 'also b', tasks: [task('b', ['a'], { args: { v: '${a}' } })] },
  ])('tasks added by $kind can use earlier results', async (command) => {
    const run = await busyRun([task('a')]);

    await run.live.decide(command, 'agent');
    await run.letGo();

    expect(run.tools.calls).toContainEqual(['fake:b', { v: 'fake:a' }]);
    expect(run.live.state.tasks.map((one) => one.task.id)).toEqual(['a', 'slow', 'b']);
    expect(foldEvents(run.log.writes.flat())).toEqual(run.live.state);
  });

  test.each<[string, readonly Task[], string]>([
    ['a name that is taken', [task('a')], 'already has a task `a`'],
    ['a name given twice', [task('b'), task('b')], 'already has a task `b`'],
    ['a need that is not there', [task('b', ['x'])], 'not in the plan'],
    ['needs in a circle', [task('b', ['c']), task('c', ['b'])], 'b → c → b'],
  ])('a decision that adds tasks with %s is refused', async (_, tasks, message) => {
    const run = await busyRun([task('a')]);

    await expect(run.live.decide({ kind: 'inject', tasks }, 'agent')).rejects.toThrow(message);

    expect(run.live.state.decisions).toEqual([]);
    await run.letGo();
  });
});

describe('aborting', () => {
  test('abort ends a paused run and skips its held tasks', async () => {
    const { live } = await idleRun([task('riskyA'), task('done')]);

    await live.decide({ kind: 'abort' }, 'human');

    expect(live.state.finished?.outcome).toBe('aborted');
    expect(live.state.tasks[0]).toMatchObject({
      status: 'skipped',
      because: 'the run was ended early: aborted by the human',
    });
  });
});
