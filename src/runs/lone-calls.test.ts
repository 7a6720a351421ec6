import { describe, expect, test, onTestFinished, vi } from 'vitest';

import { deferred } from '../../test/helpers/deferred.js';
import { FakeSandbox } from '../../test/helpers/fake-sandbox.js';
import { type Answer, FakeTools, inTurn, never, text } from '../../test/helpers/fake-tools.js';
import { MemoryRunLog } from '../../test/helpers/memory-run-log.js';
import { plainOptions, task } from '../../test/helpers/run-parts.js';
import { PmlError, type RunId, runId, silentLogger, type ToolResult } from '../core/index.js';
import type { RunTrace } from '../executor/index.js';
import { errorType } from '../policy/index.js';
import { Runs } from './runs.js';

const RUN = runId('r1');

function open(answers: Readonly<Record<string, Answer>>, log = new MemoryRunLog()) {
  const tools = new FakeTools(answers);
  const finished: (RunTrace | undefined)[] = [];
  const begun: RunId[] = [];
  let made = 0;
  const runs = new Runs({
    log: Promise.resolve(log),
    scripts: {
      sandbox: new FakeSandbox({}),
      limits: () => ({
        wallMs: 1,
        cpuMs: 1,
        memoryBytes: 1,
        calls: 1,
        outputBytes: 1,
        logLines: 1,
      }),
      prepare: () => {
        throw new Error('no code here');
      },
      refuse: async () => undefined,
      fill: (call) => call,
    },
    awakeMs: () => 1_000,
    callerFor: () => tools,
    settings: () => plainOptions,
    errorType,
    newRunId: () => runId(`r${++made}`),
    now: () => 0,
    logger: silentLogger,
    onFinished: (trace) => void finished.push(trace),
    onRecovered: () => {},
  });
  const client = new AbortController();
  const call = async (name: string) => {
    // The journal opens in parallel with everything else.
    await Promise.resolve();
    return runs.callAlone(
      { task: task(name), approve: 'risky', context: {} },
      {
        signal: client.signal,
        repeatable: name.startsWith('read'),
        isRead: name.startsWith('read'),
        onBegun: (run) => begun.push(run),
      },
    );
  };
  return { runs, log, tools, finished, begun, client, call };
}

const typesIn = (log: MemoryRunLog) =>
  log.read(RUN).then((events) => events.map(({ type }) => type));

describe('a lone call', () => {
  test('a lone call that may change something is journaled before it is sent, its result before the response', async () => {
    const answer = deferred<ToolResult>();
    const { log, call, finished } = open({ pay: () => answer.promise });

    const outcome = call('pay');
    await expect.poll(() => typesIn(log), { interval: 1 }).toEqual(['run-started', 'task-started']);
    answer.resolve(text('paid'));

    expect(await outcome).toEqual({ kind: 'answered', run: RUN, result: text('paid') });
    expect(await typesIn(log)).toEqual([
      'run-started',
      'task-started',
      'task-completed',
      'run-finished',
    ]);
    await expect.poll(() => finished.length).toBe(1);
    expect(finished[0]).toMatchObject({ run: RUN, ok: true, calls: [{ tool: 'fake:pay' }] });
  });

  test('a lone call that only reads is journaled after its response and can be found at once', async () => {
    const { runs, log, call } = open({ read: text('here') });

    expect(await call('read')).toMatchObject({ kind: 'answered', result: text('here') });

    expect(log.writes).toEqual([]);
    expect(await runs.find(RUN)).toMatchObject({
      phase: 'finished',
      state: { finished: { outcome: 'completed' } },
    });
  });

  test('lone calls that begin and end at the same moment share a write at each end', async () => {
    const { log, call, tools } = open({ pay: text('paid'), order: text('ordered') });

    const outcomes = await Promise.all([call('pay'), call('order'), call('pay')]);

    expect(outcomes).toMatchObject([
      { kind: 'answered' },
      { kind: 'answered' },
      { kind: 'answered' },
    ]);
    expect(tools.called).toEqual(['pay', 'order', 'pay']);
    expect(log.handed).toEqual([3, 3]);
  });

  test('a lone call is made although another one of the same moment cannot be journaled at once', async () => {
    const { log, call, tools } = open({ pay: text('paid'), order: text('ordered') });
    let tries = 0;
    // The write of both, then that of the first one.
    log.refuses = () => tries++ < 2;

    const outcomes = await Promise.all([call('pay'), call('order')]);

    expect(outcomes).toMatchObject([undefined, { kind: 'answered' }]);
    expect(tools.called).toEqual(['order']);
  });

  test('a lone call is not made if its start cannot be journaled at once', async () => {
    const { log, tools, call, begun } = open({});
    log.refuses = () => true;

    expect(await call('pay')).toBeUndefined();

    expect(tools.called).toEqual([]);
    expect(begun).toEqual([]);
  });

  test('a lone call whose end cannot be journaled at once is answered when it is on disk', async () => {
    const { log, call } = open({
      pay: async () => {
        log.refuses = () => true;
        return text('paid');
      },
    });

    expect(await call('pay')).toMatchObject({ kind: 'answered' });

    expect((await typesIn(log)).at(-1)).toBe('run-finished');
  });

  test('a lone call whose end is being journaled is not resumed', async () => {
    const disk = deferred<void>();
    const { log, call, runs, tools } = open({
      pay: async () => {
        log.refuses = () => true;
        log.gate = () => disk.promise;
        return text('paid');
      },
    });

    const outcome = call('pay');
    await expect.poll(() => tools.called, { interval: 1 }).toEqual(['pay']);
    const resumed = runs.resume();
    await new Promise((resolve) => setImmediate(resolve));
    disk.resolve();
    await resumed;

    expect(await outcome).toMatchObject({ kind: 'answered' });
    expect(runs.live()).toEqual([]);
    expect(await typesIn(log)).toEqual([
      'run-started',
      'task-started',
      'task-completed',
      'run-finished',
    ]);
  });

  test('a lone call becomes a run when it takes long, and is made once', async () => {
    const answer = deferred<ToolResult>();
    const { runs, tools, call, finished, log } = open({ slow: () => answer.promise });

    const outcome = await call('slow');
    if (outcome?.kind !== 'run') throw new Error('it is no run');
    expect(runs.activeCount).toBe(1);
    answer.resolve(text('done'));
    await outcome.live.idle();

    expect(outcome.live.state).toMatchObject({
      tasks: [{ status: 'completed', attempts: 1 }],
      finished: { outcome: 'completed' },
    });
    expect(tools.called).toEqual(['slow']);
    expect(await typesIn(log)).toEqual([
      'run-started',
      'task-started',
      'task-completed',
      'run-finished',
    ]);
    await expect.poll(() => finished.length).toBe(1);
  });

  test('a lone call becomes a run when a client asks about it', async () => {
    const { runs, call } = open({ slow: never });

    const outcome = call('slow');
    await Promise.resolve();
    const view = await runs.find(RUN);

    expect(view).toMatchObject({ phase: 'running', state: { tasks: [{ status: 'running' }] } });
    expect(await outcome).toEqual({ kind: 'run', live: view.live });
    await view.live?.decide({ kind: 'abort', because: 'enough' }, 'user');
    await view.live?.idle();
    expect(view.live?.state).toMatchObject({ finished: { outcome: 'aborted' } });
  });

  test('a lone call that fails for a transient reason is retried if it is repeatable', async () => {
    const passing = new PmlError('SERVER_CRASHED', 'the server ended');
    const { tools, call } = open({ read: inTurn(passing, text('here')) });

    const outcome = await call('read');
    if (outcome?.kind !== 'run') throw new Error('it is no run');
    await outcome.live.idle();

    expect(outcome.live.state).toMatchObject({ finished: { outcome: 'completed' } });
    expect(tools.called).toEqual(['read', 'read']);
  });

  test('a lone call that fails after it was sent says that it may have been carried out', async () => {
    const { tools, call } = open({ pay: new PmlError('SERVER_CRASHED', 'the server ended') });

    const outcome = await call('pay');
    if (outcome?.kind !== 'run') throw new Error('it is no run');
    await outcome.live.idle();

    const [only] = outcome.live.state.tasks;
    expect(only).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('may or may not have been carried out') },
    });
    expect(tools.called).toEqual(['pay']);
  });

  test('a lone call continues as a run when its client left while its start was journaled', async () => {
    const { client, log, call } = open({ slow: never });
    const handOver = log.handOver.bind(log);
    log.handOver = (appends) => {
      client.abort();
      return handOver(appends);
    };
    // Without a clock, the call cannot become a run because it takes long.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());

    expect(await call('slow')).toMatchObject({ kind: 'run' });
  });

  test('a lone call continues as a run when its client leaves', async () => {
    const { call, client } = open({ slow: never });

    const outcome = call('slow');
    await Promise.resolve();
    client.abort();

    expect(await outcome).toMatchObject({ kind: 'run', live: { phase: 'running' } });
  });

  test('a lone call that a killed process had sent is in doubt for the next process', async () => {
    const { log, call } = open({ pay: never });
    void call('pay');
    await expect.poll(() => typesIn(log)).toHaveLength(2);
    log.crash();

    const next = open({}, log.another());
    await next.runs.recover();

    const view = await next.runs.find(RUN);
    expect(view.state.tasks).toMatchObject([{ status: 'in_doubt' }]);
    expect(next.tools.called).toEqual([]);
  });

  test('a pending lone call is awaited when the runs are closed', async () => {
    const answer = deferred<ToolResult>();
    const { runs, log, call } = open({ pay: () => answer.promise });
    const outcome = call('pay');
    await Promise.resolve();

    const closing = runs[Symbol.asyncDispose]();
    answer.resolve(text('paid'));
    await closing;

    expect(await outcome).toMatchObject({ kind: 'run' });
    expect(await typesIn(log)).toContain('task-completed');
  });
});
