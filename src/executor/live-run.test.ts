import { describe, expect, test } from 'vitest';

import { type BeginOptions, idleRun, newRun } from '../../test/helpers/begin-run.js';
import { deferred } from '../../test/helpers/deferred.js';
import { type Answer, FakeTools, inTurn, never, text } from '../../test/helpers/fake-tools.js';
import { MemoryRunLog } from '../../test/helpers/memory-run-log.js';
import { plainOptions, startOf, statuses, task } from '../../test/helpers/run-parts.js';
import {
  type CallOptions,
  PmlError,
  type RunEvent,
  type TaskError,
  type ToolResult,
} from '../core/index.js';
import { LiveRun } from './live-run.js';

const types = (events: readonly RunEvent[]) => events.map(({ type }) => type);
const errorsOf = ({ live }: { live: LiveRun }): (TaskError | undefined)[] =>
  live.state.tasks.map((one) => (one.status === 'failed' ? one.error : undefined));

/** Lets everything happen that needs nothing from outside. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a run that goes well', () => {
  test('a run hands each task the outputs it refers to', async () => {
    const read: ToolResult = { content: [], structuredContent: { lines: ['one', 'two'] } };
    const tasks = [
      task('write', ['read'], { args: { text: { $ref: 'read.lines[1]' } } }),
      task('read'),
    ];

    const { live, tools } = await idleRun(tasks, { answers: { read } });

    expect(tools.calls).toEqual([
      ['fake:read', {}],
      ['fake:write', { text: 'two' }],
    ]);
    expect(types(live.events)).toEqual([
      'run-started',
      'task-started',
      'task-completed',
      'task-started',
      'task-completed',
      'run-finished',
    ]);
    expect(live.phase).toBe('finished');
    expect(live.state.finished?.outcome).toBe('completed');
    expect(live.state.tasks.map((one) => one.task.id)).toEqual(['write', 'read']);
  });

  // covers: RUN-PARALLEL
  test('a run starts a task when its own inputs are available, whatever else still runs', async () => {
    const seen = deferred<ToolResult>();
    const answers = {
      slow: () => seen.promise,
      after: async () => {
        seen.resolve(text('released'));
        return text('after');
      },
    };

    const { live } = await idleRun([task('slow'), task('quick'), task('after', ['quick'])], {
      answers,
    });

    expect(live.state.finished?.outcome).toBe('completed');
  });

  test('a reference reads the context of the run, but a task of the same name comes first', async () => {
    const args = { who: '${context.user}' };

    const plain = await idleRun([task('hello', [], { args })], { context: { user: 'Ann' } });
    const shadowed = await idleRun(
      [task('context'), task('hello', ['context'], { args: { who: '${context}' } })],
      { context: { user: 'Ann' } },
    );
    const without = await idleRun([task('hello', [], { args })]);

    expect(plain.tools.calls).toEqual([['fake:hello', { who: 'Ann' }]]);
    expect(shadowed.tools.calls[1]).toEqual(['fake:hello', { who: 'fake:context' }]);
    expect(without.tools.calls).toEqual([['fake:hello', args]]);
  });

  test('a plan that can never end is refused before anything is written', () => {
    const log = new MemoryRunLog();

    expect(() => newRun([task('a', ['b']), task('b', ['a'])], { log })).toThrow('a → b → a');
    expect(() => newRun([task('a', ['x'])], { log })).toThrow('not in the plan');
    expect(log.writes).toEqual([]);
  });
});

describe('progress', () => {
  test('progress reaches watchers in order and updates the state, but not after the task has ended', async () => {
    let late: CallOptions['onProgress'];
    const { live, log } = newRun([task('work'), task('next', ['work'])], {
      answers: {
        work: async ({ onProgress }) => {
          onProgress?.({ progress: 1, total: 2 });
          late = onProgress;
          return text('done');
        },
        next: async () => {
          late?.({ progress: 2 });
          return text('done');
        },
      },
    });
    const seen = collect(live.watch());

    live.start();
    const events = await seen;

    expect(events.filter(({ type }) => type === 'task-progress')).toEqual([
      { type: 'task-progress', task: 'work', progress: { progress: 1, total: 2 } },
    ]);
    expect(types(log.writes.flat())).not.toContain('task-progress');
  });

  test('progress of a finished attempt is not taken for progress of the next one', async () => {
    const first: CallOptions[] = [];
    const again = deferred<ToolResult>();
    const { live } = newRun([task('read')], {
      answers: {
        read: inTurn(
          async (options) => {
            first.push(options);
            throw new PmlError('SERVER_CRASHED', 'gone');
          },
          () => again.promise,
        ),
      },
    });
    live.start();
    await expect.poll(() => live.state.tasks[0]?.attempts).toBe(2);

    first[0]?.onProgress?.({ progress: 7 });

    expect(live.state.tasks[0]).not.toHaveProperty('progress');
    again.resolve(text('done'));
    await live.idle();
  });
});

describe('a task that fails', () => {
  // covers: RUN-FAILS-ALONE
  test('a failed task skips only its dependants, with the reason, and lets siblings finish', async () => {
    const tasks = [task('a'), task('b'), task('c', ['a']), task('d', ['c', 'b']), task('e', ['b'])];

    const run = await idleRun(tasks, {
      answers: { a: new PmlError('SERVER_BROKEN', 'disk full') },
    });

    expect(statuses(run.live.state)).toEqual({
      a: 'failed',
      b: 'completed',
      c: 'skipped',
      d: 'skipped',
      e: 'completed',
    });
    expect(run.live.state.finished?.outcome).toBe('failed');
    expect(run.live.state.tasks[0]).toMatchObject({
      error: { code: 'SERVER_BROKEN', message: 'disk full' },
    });
    expect(run.live.state.tasks[2]).toMatchObject({
      because: 'needs `a`, which failed',
      need: 'a',
    });
    expect(run.live.state.tasks[3]).toMatchObject({
      because: 'needs `c`, which was skipped',
      need: 'c',
    });
  });

  test('a failed task keeps the answer of a tool that reports an error', async () => {
    const answer = { ...text('no such table'), isError: true };

    const { live } = await idleRun([task('query')], { answers: { query: answer } });

    expect(live.events).toContainEqual({
      type: 'task-failed',
      task: 'query',
      at: 0,
      ms: expect.any(Number) as number,
      error: { code: 'TOOL_FAILED', message: 'no such table' },
      result: answer,
    });
  });

  test('a failed task with a long error text keeps its beginning, cut between characters', async () => {
    const answer = { ...text(`${'x'.repeat(499)}😀${'y'.repeat(99)}`), isError: true };

    const run = await idleRun([task('query')], { answers: { query: answer } });

    expect(errorsOf(run)[0]?.message).toBe(`${'x'.repeat(499)}…`);
  });

  test('a task with a bad reference fails and is never sent', async () => {
    const tasks = [task('read'), task('use', ['read'], { args: { $v: '${read.text}' } })];

    const run = await idleRun(tasks, { answers: { read: text('{"content": "x"}') } });

    expect(run.tools.called).toEqual(['read']);
    expect(errorsOf(run)[1]).toEqual({
      code: 'REFERENCE_INVALID',
      message: expect.stringContaining('`content`'),
    });
  });

  test('a task whose filled-in arguments do not fit their schema fails and is never sent', async () => {
    const run = await idleRun([task('read'), task('write', ['read'])], {
      checkArgs: () => 'path is missing',
    });

    expect(run.tools.called).toEqual(['read']);
    expect(errorsOf(run)[1]).toEqual({
      code: 'ARGUMENTS_INVALID',
      message: 'fake:write: path is missing',
    });
  });

  test('a task whose result does not fit its output schema fails and keeps the result', async () => {
    const run = await idleRun([task('write')], { checkResult: () => 'id is missing' });

    expect(run.live.state.tasks[0]).toMatchObject({
      status: 'failed',
      error: { code: 'OUTPUT_INVALID', message: expect.stringContaining('id is missing') },
      result: text('fake:write'),
    });
  });

  test('a task whose answer is no tool result fails alone', async () => {
    const tasks = [task('broken'), task('nothing'), task('fine'), task('after', ['fine'])];
    const answers = { broken: {} as ToolResult, nothing: async () => undefined as never };

    const run = await idleRun(tasks, { answers });

    expect(statuses(run.live.state)).toEqual({
      broken: 'failed',
      nothing: 'failed',
      fine: 'completed',
      after: 'completed',
    });
    expect(errorsOf(run)[0]?.code).toBe('SERVER_PROTOCOL_ERROR');
  });
});

describe('time limits', () => {
  test.each<[string, Answer]>([
    ['reacts to the abort', never],
    ['ignores the abort', () => new Promise<never>(() => {})],
  ])('time limit is named in the error if the tool %s', async (_, slow) => {
    const run = await idleRun([task('readSlow')], {
      answers: { readSlow: slow },
      taskTimeoutMs: 5,
      retries: 0,
    });

    expect(errorsOf(run)).toEqual([
      { code: 'TOOL_TIMED_OUT', message: 'fake:readSlow gave no answer within 5 ms' },
    ]);
  });

  test('time limit of a task overrides that of the run, and reaches the call', async () => {
    let signal: AbortSignal | undefined;
    const answers: Record<string, Answer> = {
      slow: (options) => {
        signal = options.signal;
        return never(options);
      },
    };

    const run = await idleRun([task('slow', [], { timeoutMs: 5 })], {
      answers,
      taskTimeoutMs: 60_000,
    });

    expect(errorsOf(run)[0]?.message).toContain('within 5 ms');
    expect(signal?.aborted).toBe(true);
  });

  test('time limit longer than a timer can be does not end a call at once', async () => {
    const { live } = await idleRun([task('a', [], { timeoutMs: 2 ** 40 })]);

    expect(live.state.finished?.outcome).toBe('completed');
  });

  // covers: RUN-IN-DOUBT
  test('time limit of a call that must not be repeated reports that it may have happened', async () => {
    const run = await idleRun([task('pay')], { answers: { pay: never }, taskTimeoutMs: 5 });

    expect(errorsOf(run)[0]).toEqual({
      code: 'TOOL_TIMED_OUT',
      message: expect.stringMatching(
        /^fake:pay gave no answer within 5 ms\. The call may or may not/,
      ) as string,
    });
    expect(run.tools.called).toEqual(['pay']);
  });
});

// covers: RUN-RETRY
describe('trying again', () => {
  const passing = new PmlError('SERVER_CRASHED', 'the server is gone');

  test('retry repeats an idempotent call when its failure is temporary', async () => {
    const { live, tools } = await idleRun([task('read'), task('use', ['read'])], {
      answers: { read: inTurn(passing, passing, text('at last')) },
    });

    expect(tools.called).toEqual(['read', 'read', 'read', 'use']);
    expect(live.state.finished?.outcome).toBe('completed');
    expect(live.state.tasks[0]?.attempts).toBe(3);
  });

  test('retry stops after the maximum number of attempts', async () => {
    const { live, tools } = await idleRun([task('read')], {
      answers: { read: passing },
      retries: 2,
    });

    expect(tools.called).toHaveLength(3);
    expect(live.state.finished?.outcome).toBe('failed');
    expect(types(live.events).filter((type) => type === 'task-retried')).toHaveLength(2);
  });

  test.each<[string, string, Error]>([
    ['a call that must not be repeated', 'pay', passing],
    ['a permanent failure', 'read', new PmlError('ARGUMENTS_INVALID', 'no such column')],
  ])('retry does not happen for %s', async (_, tool, error) => {
    const { tools } = await idleRun([task(tool)], { answers: { [tool]: error } });

    expect(tools.called).toEqual([tool]);
  });

  test('retry waits longer each time, and other tasks go on meanwhile', async () => {
    const asked: number[] = [];
    const { live } = newRun([task('read'), task('other'), task('later', ['other'])], {
      retryDelayMs: 20,
      answers: {
        read: async () => {
          asked.push(performance.now());
          throw passing;
        },
      },
    });

    live.start();
    await live.idle();

    const [first = 0, second = 0, third = 0] = asked;
    expect(second - first).toBeGreaterThanOrEqual(18);
    expect(third - second).toBeGreaterThanOrEqual(38);
    const order = live.events.flatMap((event) =>
      'task' in event && typeof event.task === 'string' ? `${event.type} ${event.task}` : [],
    );
    expect(order.indexOf('task-completed later')).toBeLessThan(
      order.lastIndexOf('task-started read'),
    );
  });

  test('a run that waits for its next attempt can be aborted at once', async () => {
    const { live } = newRun([task('read')], { answers: { read: passing }, retryDelayMs: 10_000 });
    live.start();
    await expect.poll(() => types(live.events)).toContain('task-retried');

    await live.decide({ kind: 'abort' }, 'agent');

    expect(live.state.finished?.outcome).toBe('aborted');
  });

  test('a task that waits for its next attempt can be skipped, and the run ends', async () => {
    const { live } = newRun([task('read')], { answers: { read: passing }, retryDelayMs: 10_000 });
    live.start();
    await expect.poll(() => types(live.events)).toContain('task-retried');

    await live.decide({ kind: 'skip', tasks: [task('read').id], result: 1 }, 'agent');

    expect(live.state.finished?.outcome).toBe('completed');
  });
});

describe('aborting', () => {
  test('abort reaches the running call, skips the rest and finishes the run as aborted', async () => {
    const { live, tools } = newRun([task('slow'), task('readSlow'), task('later', ['slow'])], {
      answers: { slow: never, readSlow: never },
    });
    live.start();
    await expect.poll(() => tools.called).toHaveLength(2);

    await live.decide({ kind: 'abort', because: 'the user left' }, 'agent');
    await live.idle();

    expect(live.state).toMatchObject({
      finished: { outcome: 'aborted' },
      tasks: [
        {
          status: 'failed',
          error: {
            code: 'CALL_CANCELLED',
            message: expect.stringMatching(
              /^fake:slow was cancelled\. The call may or may not/,
            ) as string,
          },
        },
        { status: 'failed', error: { message: 'fake:readSlow was cancelled' } },
        { status: 'skipped', because: 'the run was ended early: the user left' },
      ],
    });
    expect(tools.called).not.toContain('later');
  });

  test('abort before the journal has the start of a call prevents the call', async () => {
    const gate = deferred<void>();
    const log = new MemoryRunLog();
    log.gate = () => gate.promise;
    const { live, tools } = newRun([task('pay')], { log });
    live.start();

    const aborted = live.decide({ kind: 'abort' }, 'human');
    gate.resolve();
    await aborted;
    await live.idle();

    expect(tools.called).toEqual([]);
    expect(live.state.tasks[0]).toMatchObject({ error: { message: 'fake:pay was not called' } });
    expect(live.state.finished?.outcome).toBe('aborted');
  });

  test('abort before the start of the run prevents every call', async () => {
    const { live, tools } = newRun([task('a')]);

    await live.decide({ kind: 'abort' }, 'agent');
    live.start();
    await live.idle();

    expect(tools.called).toEqual([]);
    expect(live.state.finished?.outcome).toBe('aborted');
  });
});

describe('places', () => {
  test('concurrent calls are limited for the run and for each server', async () => {
    const now = new Map<string, number>();
    const most = new Map<string, number>();
    const change = (key: string, by: number) => {
      now.set(key, (now.get(key) ?? 0) + by);
      most.set(key, Math.max(most.get(key) ?? 0, now.get(key) ?? 0));
    };
    const tools = new FakeTools();
    const counting = {
      async call(...[tool, args, options]: Parameters<FakeTools['call']>) {
        const server = tool.slice(0, tool.indexOf(':'));
        change('all', 1);
        change(server, 1);
        await settled();
        change('all', -1);
        change(server, -1);
        return tools.call(tool, args, options);
      },
    };
    const tasks = ['a@one', 'b@one', 'c@one', 'd@two', 'e@two', 'f@two'].map((tool) =>
      task(tool.slice(0, 1), [], { tool }),
    );

    const live = LiveRun.begin(
      startOf(tasks),
      { tools: counting, log: new MemoryRunLog() },
      { ...plainOptions, concurrency: 3, serverConcurrency: (name) => (name === 'one' ? 1 : 2) },
    );
    live.start();
    await live.idle();

    expect(Object.fromEntries(most)).toEqual({ all: 3, one: 1, two: 2 });
    expect(live.state.finished?.outcome).toBe('completed');
  });
});

// covers: RUN-DURABLE
describe('the journal', () => {
  const gated = (isGated: (event: RunEvent) => boolean) => {
    const gate = deferred<void>();
    const log = new MemoryRunLog();
    log.gate = (events) => (events.some(isGated) ? gate.promise : undefined);
    return { log, open: () => gate.resolve() };
  };

  test('the journal has the start of a call with side effects before PML sends the call', async () => {
    const { log, open } = gated(({ type }) => type === 'task-started');
    const { live, tools } = newRun([task('pay')], { log });

    live.start();
    await settled();
    expect(tools.called).toEqual([]);

    open();
    await live.idle();
    expect(tools.called).toEqual(['pay']);
  });

  test('the journal has a result before PML sends a call that uses it, even a read-only one', async () => {
    const { log, open } = gated(({ type }) => type === 'task-completed');
    const { live, tools } = newRun([task('pay'), task('readReceipt', ['pay'])], { log });

    live.start();
    await expect.poll(() => statuses(live.state)['pay']).toBe('completed');
    await settled();
    expect(tools.called).toEqual(['pay']);

    open();
    await live.idle();
    expect(tools.called).toEqual(['pay', 'readReceipt']);
  });

  test('the journal need not have the start of a read-only call that uses no results', async () => {
    const { log, open } = gated(() => true);
    const { live, tools } = newRun([task('read')], { log });

    live.start();
    await settled();
    expect(tools.called).toEqual(['read']);

    open();
    await live.idle();
  });

  test('a call with side effects waits for the journal even in a run that began read-only', async () => {
    const { log, open } = gated(() => true);
    const tasks = [task('read'), task('pay', ['read'])];
    const { live, tools } = newRun(tasks, { log, isDurable: false });

    live.start();
    await expect.poll(() => statuses(live.state)).toEqual({ read: 'completed', pay: 'running' });
    await settled();
    expect(tools.called).toEqual(['read']);

    open();
    await live.idle();
    expect(tools.called).toEqual(['read', 'pay']);
    expect(types(log.writes.flat())).toEqual(types(live.events));
  });

  test('a run with a single read-only call ends without waiting for the journal', async () => {
    const { log } = gated(() => true);

    const { live } = await idleRun([task('read')], { log, isDurable: false });

    expect(live.state.finished?.outcome).toBe('completed');
  });

  test('the journal has everything before a durable run reports that it is idle', async () => {
    const { log, open } = gated(({ type }) => type === 'run-finished');
    const { live } = newRun([task('a')], { log });
    let isIdle = false;

    live.start();
    const idle = live.idle().then(() => (isIdle = true));
    await expect.poll(() => live.state.finished).toBeDefined();
    await settled();
    expect(isIdle).toBe(false);

    open();
    await idle;
  });

  test('the journal gets events of the same moment in one write', async () => {
    const { log } = await idleRun([task('a'), task('b')]);

    expect(log.writes.map(types)[0]).toEqual(['run-started', 'task-started', 'task-started']);
    expect(log.writes.length).toBeLessThanOrEqual(3);
  });
});

describe('a journal that fails', () => {
  const failing = (isLost: (event: RunEvent) => boolean) => {
    const log = new MemoryRunLog();
    log.fails = (events) => events.some(isLost);
    return log;
  };

  test('a journal that fails at the start of a run prevents every call and write, and the run says why', async () => {
    const log = failing(({ type }) => type === 'run-started');

    const { live, tools } = await idleRun([task('a'), task('b', ['a'])], { log });

    expect(tools.called).toEqual([]);
    expect(live.phase).toBe('broken');
    expect(live.broken).toMatchObject({ code: 'JOURNAL_FAILED' });
    expect(statuses(live.state)).toEqual({ a: 'waiting', b: 'waiting' });
    expect(log.writes).toEqual([]);
    await expect(live.decide({ kind: 'abort' }, 'agent')).rejects.toMatchObject({
      code: 'JOURNAL_FAILED',
    });
  });

  test('a journal that fails at a result starts no dependant and writes nothing after the hole', async () => {
    const log = failing((event) => event.type === 'task-completed' && event.task === 'a');

    const { live, tools } = await idleRun([task('a'), task('b', ['a'])], { log });

    expect(tools.called).toEqual(['a']);
    expect(live.phase).toBe('broken');
    expect(types(log.writes.flat())).toEqual(['run-started', 'task-started']);
  });

  test('a journal that fails at the end leaves the run unfinished, because the next process resumes it', async () => {
    const log = failing(({ type }) => type === 'run-finished');

    const { live } = await idleRun([task('a')], { log });

    expect(live.phase).toBe('broken');
  });

  test('a journal that fails during calls lets them end and releases the watchers', async () => {
    const slow = deferred<ToolResult>();
    const log = failing((event) => event.type === 'task-completed');
    const { live, tools } = newRun([task('slow'), task('quick'), task('next', ['quick'])], {
      log,
      answers: { slow: () => slow.promise },
    });
    const watched = collect(live.watch());
    live.start();

    await watched;
    expect(live.phase).toBe('broken');
    slow.resolve(text('done'));
    await live.idle();

    expect(tools.called).toEqual(['slow', 'quick']);
    expect(await collect(live.watch())).toEqual([]);
  });

  test('a journal that fails when a decision adds tasks contains none of them', async () => {
    const log = failing(({ type }) => type === 'decision-made');
    const { live } = await idleRun([task('riskyA')], { log });

    await expect(
      live.decide({ kind: 'inject', tasks: [task('b')] }, 'agent'),
    ).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
    log.fails = () => false;
    await live.idle();

    expect(types(log.writes.flat())).toEqual(['run-started', 'task-held']);
  });

  test('a journal that fails during a single read-only call does not matter', async () => {
    const log = failing(() => true);

    const { live } = await idleRun([task('read')], { log, isDurable: false });

    expect(live.phase).toBe('finished');
    expect(live.broken).toBeUndefined();
  });

  test('a journal that fails before a call with side effects prevents the call, and the run says why', async () => {
    const log = failing(() => true);
    const tasks = [task('read'), task('pay', ['read'])];

    const { live, tools } = await idleRun(tasks, { log, isDurable: false });

    expect(tools.called).toEqual(['read']);
    expect(live.phase).toBe('broken');
    expect(live.broken).toMatchObject({ code: 'JOURNAL_FAILED' });
  });

  test('a journal that fails matters to a single read-only call once it gets a decision', async () => {
    const log = failing(() => true);
    const options: BeginOptions = {
      log,
      isDurable: false,
      policyOf: () => ({ risk: 'read', repeatable: true, ask: { always: true, why: 'asked' } }),
    };
    const { live, tools } = await idleRun([task('read')], options);
    await settled();

    await expect(
      live.decide({ kind: 'inject', tasks: [task('pay')] }, 'agent'),
    ).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });

    expect(tools.called).toEqual([]);
  });
});

describe('watching', () => {
  test('a watch stream ends with the run, for each watcher', async () => {
    const { live } = newRun([task('a')]);
    const [first, second] = [collect(live.watch()), collect(live.watch())];

    live.start();

    expect(types(await first)).toEqual(['task-started', 'task-completed', 'run-finished']);
    expect(await second).toEqual(await first);
    expect(await collect(live.watch())).toEqual([]);
  });

  test('a watcher can leave early without harm to the run', async () => {
    const { live } = newRun([task('a'), task('b', ['a'])]);
    const other = collect(live.watch());
    const watching = (async () => {
      for await (const event of live.watch()) if (event.type === 'task-started') break;
    })();

    live.start();
    await watching;

    expect(types(await other).at(-1)).toBe('run-finished');
    expect(live.state.finished?.outcome).toBe('completed');
  });

  test('a watch stream continues through a pause', async () => {
    const { live } = newRun([task('riskyA')]);
    const seen = collect(live.watch());
    live.start();
    await live.idle();

    await live.decide({ kind: 'approve', tasks: [task('riskyA').id] }, 'human');

    expect(types(await seen)).toEqual([
      'task-held',
      'decision-made',
      'task-started',
      'task-completed',
      'run-finished',
    ]);
  });
});

describe('closing', () => {
  test('close waits for the running call, keeps its result and starts nothing more', async () => {
    const slow = deferred<ToolResult>();
    const { live, log, tools } = newRun([task('slow'), task('next', ['slow'])], {
      answers: { slow: () => slow.promise },
    });
    const seen = collect(live.watch());
    live.start();
    await expect.poll(() => tools.called).toEqual(['slow']);

    const closed = live.close(60_000);
    slow.resolve(text('done'));
    await closed;
    await seen;

    expect(live.phase).toBe('stopped');
    expect(tools.called).toEqual(['slow']);
    expect(types(log.writes.flat())).toEqual(['run-started', 'task-started', 'task-completed']);
    await expect(live.decide({ kind: 'abort' }, 'agent')).rejects.toMatchObject({
      code: 'DAEMON_UNREACHABLE',
    });
  });

  // covers: RUN-IN-DOUBT
  test('close cancels a call that does not end and leaves it open in the journal', async () => {
    let signal: AbortSignal | undefined;
    const { live, log } = newRun([task('pay')], {
      answers: {
        pay: (options) => {
          signal = options.signal;
          return never(options);
        },
      },
    });
    live.start();
    await expect.poll(() => signal).toBeDefined();

    await live.close(5);
    await live.idle();
    await settled();

    expect(signal?.aborted).toBe(true);
    expect(types(log.writes.flat())).toEqual(['run-started', 'task-started']);
    const again = resumed(log);
    expect(again.live.state.tasks[0]).toMatchObject({ status: 'in_doubt' });
  });

  test('close takes back the start of a call that was not sent yet', async () => {
    const gate = deferred<void>();
    const log = new MemoryRunLog();
    log.gate = () => gate.promise;
    const { live, tools } = newRun([task('pay')], { log });
    live.start();

    const closed = live.close(60_000);
    gate.resolve();
    await closed;

    expect(tools.called).toEqual([]);
    const again = resumed(log);
    again.live.start();
    await again.live.idle();
    expect(again.tools.called).toEqual(['pay']);
  });
});

describe('resuming a run', () => {
  const at = 0;
  const started = (id: string, repeatable: boolean): RunEvent => {
    return { type: 'task-started', task: task(id).id, at, repeatable };
  };
  const succeeded = (id: string, result: ToolResult): RunEvent => {
    return { type: 'task-completed', task: task(id).id, at, ms: 1, result };
  };

  // covers: RUN-DURABLE
  test('a resumed run uses the finished results and calls only the rest', async () => {
    const use = task('use', ['pay'], { args: { id: '${pay.id}' } });
    const { live, tools } = resumedFrom([
      startOf([task('pay'), use]),
      started('pay', false),
      succeeded('pay', text('{"id": 77}')),
    ]);

    live.start();
    await live.idle();

    expect(tools.calls).toEqual([['fake:use', { id: 77 }]]);
    expect(live.state.finished?.outcome).toBe('completed');
  });

  // covers: RUN-IN-DOUBT
  test('a resumed run repeats an interrupted call if that is harmless, and asks otherwise', async () => {
    const { live, tools } = resumedFrom([
      startOf([task('pay'), task('read'), task('after', ['pay'])]),
      started('pay', false),
      started('read', true),
    ]);

    live.start();
    await live.idle();

    expect(tools.called).toEqual(['read']);
    expect(live.phase).toBe('paused');
    expect(statuses(live.state)).toEqual({
      pay: 'in_doubt',
      read: 'completed',
      after: 'waiting',
    });
    expect(live.state.messages).toHaveLength(1);

    await live.decide({ kind: 'retry', tasks: [task('pay').id] }, 'human');
    await live.idle();
    expect(tools.called).toEqual(['read', 'pay', 'after']);
  });

  test('a resumed run does not repeat for ever a call that may crash the process', async () => {
    let events: readonly RunEvent[] = [startOf([task('read')])];
    let attempts = 0;
    let phase = 'running';
    while (phase === 'running' && attempts < 20) {
      const log = new MemoryRunLog();
      const { live } = resumedFrom([...events, started('read', true)], log);
      await settled();
      attempts++;
      events = [...events, started('read', true), ...log.writes.flat()];
      phase = live.state.tasks[0]?.status === 'in_doubt' ? 'asking' : 'running';
    }

    expect(attempts).toBe(5);
  });

  test('a resumed run that was being aborted ends, and calls in doubt stay in doubt', async () => {
    const { live, tools } = resumedFrom([
      startOf([task('pay'), task('read'), task('after', ['pay'])]),
      started('pay', false),
      started('read', true),
      { type: 'decision-made', at, by: 'agent', command: { kind: 'abort' } },
    ]);

    live.start();
    await live.idle();

    expect(tools.called).toEqual([]);
    expect(statuses(live.state)).toEqual({ pay: 'in_doubt', read: 'skipped', after: 'skipped' });
    expect(live.state.finished?.outcome).toBe('aborted');
  });

  test('resume refuses a journal without a start', () => {
    expect(() => resumedFrom([started('a', true)])).toThrow('begins with task-started');
    expect(() => resumedFrom([])).toThrow('empty');
    expect(() => resumedFrom([startOf([]), started('a', true)])).toThrow('no task `a`');
  });
});

function resumedFrom(events: readonly RunEvent[], log = new MemoryRunLog()) {
  const tools = new FakeTools();
  return { live: LiveRun.resume(events, { tools, log }, plainOptions), tools };
}

function resumed(log: MemoryRunLog) {
  const next = log.another();
  log.crash();
  return resumedFrom(log.writes.flat(), next);
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('PML failing while it works on a run', () => {
  const overflow = () => {
    throw new RangeError('Maximum call stack size exceeded');
  };

  // covers: HOSTILE-RECOVERY
  test('an internal failure of PML ends the run with an error that is in the journal', async () => {
    const answers = { readA: new PmlError('SERVER_ERROR', 'no') };
    const tasks = [task('readA'), task('b', ['readA'])];

    const { live, log } = await idleRun(tasks, { answers, isTransient: overflow });

    expect(live.phase).toBe('finished');
    expect(statuses(live.state)).toEqual({ readA: 'failed', b: 'skipped' });
    expect(errorsOf({ live })[0]).toMatchObject({
      code: 'RUN_FAILED',
      message: expect.stringContaining('call stack') as string,
    });
    expect(log.writes.flat().at(-1)).toMatchObject({ type: 'run-finished', outcome: 'failed' });
  });

  test('an internal failure while PML decides the next step reports that a sent call may have happened', async () => {
    const slow = deferred<ToolResult>();
    const answers = { slow: () => slow.promise, b: never };
    let isBroken = false;
    const policyOf: BeginOptions['policyOf'] = (tool) =>
      isBroken ? overflow() : plainOptions.policyOf(tool);
    const { live, tools } = newRun([task('slow'), task('b'), task('c', ['slow'])], {
      answers,
      policyOf,
    });
    live.start();
    await expect.poll(() => tools.called).toEqual(['slow', 'b']);

    isBroken = true;
    slow.resolve(text('done'));
    await live.idle();

    expect(statuses(live.state)).toEqual({ slow: 'completed', b: 'failed', c: 'skipped' });
    expect(errorsOf({ live })[1]?.message).toContain('may or may not have been carried out');
    expect(live.phase).toBe('finished');
  });

  test('an internal failure while PML checks a result fails only that task', async () => {
    const tasks = [task('a'), task('b')];
    const checkResult: BeginOptions['checkResult'] = (tool) =>
      tool.endsWith('a') ? overflow() : undefined;

    const { live } = await idleRun(tasks, { checkResult });

    expect(statuses(live.state)).toEqual({ a: 'failed', b: 'completed' });
    expect(errorsOf({ live })[0]).toMatchObject({ code: 'OUTPUT_INVALID' });
  });
});
