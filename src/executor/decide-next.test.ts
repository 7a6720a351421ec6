import { describe, expect, test } from 'vitest';

import { idleRun } from '../../test/helpers/begin-run.js';
import { inTurn, text } from '../../test/helpers/fake-tools.js';
import { plainOptions, statuses, task } from '../../test/helpers/run-parts.js';
import { PmlError, type RunCommand, type RunEvent, taskId } from '../core/index.js';
import { LiveRun } from './live-run.js';
import { summarizeRun } from './summarize-run.js';

const broken = new PmlError('SERVER_BROKEN', 'disk full');
const ids = (...names: readonly string[]) => names.map(taskId);

/** `a` and `b`, then `c` after `a`, then `d` after `c`. */
const layers = [task('a'), task('b'), task('c', ['a']), task('d', ['c'])];

// covers: RUN-DECISIONS
describe('an approval for each layer', () => {
  test('a run with approval per layer runs the first layer and stops before each later one', async () => {
    const { live, tools } = await idleRun(layers, { approve: 'per_layer' });
    expect(tools.called).toEqual(['a', 'b']);
    expect(statuses(live.state)).toMatchObject({ c: 'needs_approval', d: 'waiting' });
    expect(summarizeRun(live.state, live.phase).status).toBe('needs_approval');

    await live.decide({ kind: 'approve', tasks: ids('c') }, 'agent');
    await live.idle();
    expect(tools.called).toEqual(['a', 'b', 'c']);
    expect(live.phase).toBe('paused');

    await live.decide({ kind: 'approve', tasks: ids('d') }, 'agent');
    await live.idle();
    expect(live.state.finished?.outcome).toBe('completed');
  });

  test('a run with approval per layer stops after a failure and goes on normally once the task is retried', async () => {
    const { live, tools } = await idleRun(layers, {
      approve: 'per_layer',
      answers: { a: inTurn(broken, text('now')) },
    });
    expect(summarizeRun(live.state, live.phase).status).toBe('needs_decision');
    expect(live.state.tasks[2]).toMatchObject({ because: 'needs `a`, which failed' });

    await live.decide({ kind: 'retry', tasks: ids('a') }, 'agent');
    await live.idle();
    expect(live.state.tasks[2]).toMatchObject({
      status: 'needs_approval',
      because: 'the layer before it is done',
    });

    await live.decide({ kind: 'approve', tasks: ids('c') }, 'agent');
    await live.idle();
    expect(tools.called).toEqual(['a', 'b', 'a', 'c']);
  });

  test('a run with approval per layer skips the dependants of a failed task once the user approves', async () => {
    const tasks = [...layers, task('e', ['b'])];
    const { live, tools } = await idleRun(tasks, { approve: 'per_layer', answers: { a: broken } });

    await live.decide({ kind: 'approve', tasks: ids('c', 'e') }, 'agent');
    await live.idle();

    expect(tools.called).toEqual(['a', 'b', 'e']);
    expect(statuses(live.state)).toMatchObject({
      c: 'skipped',
      d: 'needs_approval',
      e: 'completed',
    });
  });

  test('a run with approval per layer stops before a risky task even in the first layer', async () => {
    const { live } = await idleRun([task('riskyA'), task('b', ['riskyA'])], {
      approve: 'per_layer',
    });

    expect(statuses(live.state)).toEqual({ riskyA: 'needs_approval', b: 'waiting' });
  });
});

describe('a task that is added to a run with an approval for each layer', () => {
  const added = [task('x'), task('y', ['x'])];

  test.each<[string, RunCommand]>([
    ['inject', { kind: 'inject', tasks: added }],
    ['replan', { kind: 'replan', requirement: 'more', tasks: added }],
  ])('a task added by %s is held before it starts, though it needs nothing', async (_, command) => {
    const { live, tools } = await idleRun([task('a'), task('b', ['a'])], { approve: 'per_layer' });

    await live.decide(command, 'agent');
    await live.idle();

    expect(tools.called).toEqual(['a']);
    expect(statuses(live.state)).toEqual({
      a: 'completed',
      b: 'needs_approval',
      x: 'needs_approval',
      y: 'waiting',
    });
    expect(live.state.tasks[2]).toMatchObject({ because: 'it was added to the run' });
  });

  test('an added task is a layer of its own: its dependants are held after it', async () => {
    const { live, tools } = await idleRun([task('a'), task('b', ['a'])], { approve: 'per_layer' });
    await live.decide({ kind: 'inject', tasks: added }, 'agent');

    await live.decide({ kind: 'approve', tasks: ids('x') }, 'agent');
    await live.idle();

    expect(tools.called).toEqual(['a', 'x']);
    expect(statuses(live.state)).toMatchObject({ b: 'needs_approval', y: 'needs_approval' });
  });

  test('an added task is still held when another process resumes the run', async () => {
    const { live, log, tools } = await idleRun([task('a'), task('b', ['a'])], {
      approve: 'per_layer',
    });
    const { state } = live;
    const events: RunEvent[] = [
      { type: 'run-checkpoint', state },
      { type: 'decision-made', at: 1, by: 'agent', command: { kind: 'inject', tasks: added } },
    ];

    const resumed = LiveRun.resume(events, { tools, log }, plainOptions);
    resumed.start();
    await resumed.idle();

    expect(statuses(resumed.state)).toMatchObject({ x: 'needs_approval', y: 'waiting' });
    expect(tools.called).toEqual(['a']);
  });

  test('an added task starts at once in a run that holds only risky tasks', async () => {
    const { live, tools } = await idleRun([task('riskyA')]);

    await live.decide({ kind: 'inject', tasks: [task('x'), task('riskyY')] }, 'agent');
    await live.idle();

    expect(tools.called).toEqual(['x']);
    expect(statuses(live.state)).toMatchObject({ riskyY: 'needs_approval' });
  });
});

describe('approval of nothing', () => {
  test('a run without approvals runs risky tasks, but still holds tasks the user wants to be asked about', async () => {
    const { live, tools } = await idleRun([task('riskyA'), task('askedB')], { approve: 'never' });

    expect(tools.called).toEqual(['riskyA']);
    expect(live.state.tasks[1]).toMatchObject({
      status: 'needs_approval',
      because: 'the user wants it',
    });

    await live.decide({ kind: 'approve', tasks: ids('askedB') }, 'human');
    await live.idle();
    expect(live.state.finished?.outcome).toBe('completed');
  });
});

describe('approval of what is risky', () => {
  test('a run that holds risky tasks runs all others, and asks only once the inputs are available', async () => {
    const { live, tools } = await idleRun([
      task('a'),
      task('riskyB', ['a']),
      task('c', ['a']),
      task('riskyD', ['riskyB']),
    ]);

    expect(tools.called).toEqual(['a', 'c']);
    expect(statuses(live.state)).toEqual({
      a: 'completed',
      riskyB: 'needs_approval',
      c: 'completed',
      riskyD: 'waiting',
    });
    expect(summarizeRun(live.state, live.phase).status).toBe('needs_approval');
  });

  test('a run that holds risky tasks does not ask for a task whose input is lost', async () => {
    const { live } = await idleRun([task('a'), task('riskyB', ['a'])], { answers: { a: broken } });

    expect(live.state.finished?.outcome).toBe('failed');
    expect(statuses(live.state)['riskyB']).toBe('skipped');
  });
});
