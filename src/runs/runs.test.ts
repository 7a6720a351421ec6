import { describe, expect, test } from 'vitest';

import { deferred } from '../../test/helpers/deferred.js';
import { FakeSandbox } from '../../test/helpers/fake-sandbox.js';
import { type Answer, FakeTools, never, text } from '../../test/helpers/fake-tools.js';
import { MemoryRunLog } from '../../test/helpers/memory-run-log.js';
import { plainOptions, startOf, statuses, task } from '../../test/helpers/run-parts.js';
import {
  type Logger,
  type RunEvent,
  type RunId,
  runId,
  type RunState,
  silentLogger,
  type Task,
  taskId,
  type ToolResult,
} from '../core/index.js';
import { foldEvents, type LiveRun, type RunTrace } from '../executor/index.js';
import { errorType } from '../policy/index.js';
import type { FinishedRun, NewRun } from './live-runs.js';
import { Runs } from './runs.js';
import type { ScriptPorts } from './script-ports.js';

const noScripts: ScriptPorts = {
  sandbox: new FakeSandbox({}),
  limits: () => ({ wallMs: 1, cpuMs: 1, memoryBytes: 1, calls: 1, outputBytes: 1, logLines: 1 }),
  prepare: (code) => ({
    source: code,
    operations: [],
    locate: (line, column) => ({ line, column, text: code }),
  }),
  refuse: async () => undefined,
  fill: (call) => call,
};

interface Setup {
  readonly log?: MemoryRunLog;
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly now?: () => number;
  readonly prefix?: string;
}

function open({ log = new MemoryRunLog(), answers, now = () => 0, prefix = 'r' }: Setup = {}) {
  const tools = new FakeTools(answers);
  const finished: [trace: RunTrace, run: FinishedRun][] = [];
  const recovered: { trace: RunTrace; startedAt: number }[] = [];
  const errors: string[] = [];
  const logger: Logger = { ...silentLogger, error: (message) => void errors.push(message) };
  let made = 0;
  const runs = new Runs({
    log: Promise.resolve(log),
    scripts: noScripts,
    awakeMs: () => 1_000,
    callerFor: () => tools,
    settings: () => plainOptions,
    errorType,
    newRunId: () => runId(`${prefix}${++made}`),
    now,
    logger,
    onFinished: (trace, run) => void (trace && finished.push([trace, run])),
    onRecovered: (traces) => recovered.push(...traces),
  });
  return { runs, log, tools, finished, recovered, errors };
}

function begun(runs: Runs, tasks: readonly Task[], changed: Partial<NewRun> = {}): LiveRun {
  const live = runs.begin({ tasks, approve: 'risky', context: {}, isDurable: true, ...changed });
  live.start();
  return live;
}

const ofRun = (run: string, ...events: readonly RunEvent[]): RunEvent[] => [
  startOf([task('pay'), task('after', ['pay'])], { run: runId(run) }),
  ...events,
];
const payStarted: RunEvent = {
  type: 'task-started',
  task: taskId('pay'),
  at: 0,
  repeatable: false,
};
const payDone = (value: string): RunEvent => ({
  type: 'task-completed',
  task: taskId('pay'),
  at: 1,
  ms: 1,
  result: text(value),
});
const end = (at = 2): RunEvent => ({ type: 'run-finished', at, outcome: 'failed' });

describe('a run of this process', () => {
  test('a run counts as active while it works, is reported when it ends, and is then read from its journal', async () => {
    const slow = deferred<ToolResult>();
    const { runs, finished } = open({ answers: { slow: () => slow.promise } });

    const live = begun(runs, [task('slow')], { intent: 'wait' });
    expect(runs.activeCount).toBe(1);
    expect((await runs.find(runId('r1'))).live).toBe(live);

    slow.resolve(text('done'));
    await expect.poll(() => finished.length).toBe(1);

    expect(runs.activeCount).toBe(0);
    const view = await runs.find(runId('r1'));
    expect(view).toMatchObject({
      phase: 'finished',
      state: { finished: { outcome: 'completed' } },
    });
    expect(view.live).toBeUndefined();
    expect(finished[0]?.[0]).toMatchObject({ run: 'r1', intent: 'wait', ok: true });
    expect(await runs.events(runId('r1'))).toEqual(live.events);
  });

  test('a run that waits for a decision does not count as active and continues after it', async () => {
    const { runs, tools, finished } = open();
    const live = begun(runs, [task('riskyA')]);
    await live.idle();
    expect(runs.activeCount).toBe(0);

    await runs.decide(runId('r1'), { kind: 'approve', tasks: [taskId('riskyA')] }, { by: 'human' });
    await expect.poll(() => finished.length).toBe(1);

    expect(tools.called).toEqual(['riskyA']);
    await expect(
      runs.decide(runId('r1'), { kind: 'abort' }, { by: 'agent' }),
    ).rejects.toMatchObject({ code: 'RUN_FINISHED' });
  });

  test('an unknown run id is refused without naming other runs, since an id gives access', async () => {
    const { runs } = open();
    for (const _ of [1, 2]) await begun(runs, [task('a')]).idle();

    const message = expect.stringMatching(/^No run x: (?!.*\br[12]\b)/) as string;
    await expect(runs.find(runId('x'))).rejects.toMatchObject({ code: 'RUN_UNKNOWN', message });
    await expect(runs.events(runId('x'))).rejects.toMatchObject({ message });
    await expect(runs.decide(runId('x'), { kind: 'abort' }, { by: 'agent' })).rejects.toMatchObject(
      { message },
    );
  });

  test('a run whose journal lost a part is shown as damaged and can only be ended [JOURNAL-DAMAGE]', async () => {
    const { runs, log, tools } = open();
    await begun(runs, [task('riskyA')]).idle();
    const [own, lost] = [runId('r7'), runId('r8')];
    const damage = { place: '000001.log, byte 77', startedAt: 5 };
    log.put(own, [startOf([task('pay')], { run: own }), payStarted]);
    for (const run of [own, lost]) log.damage.set(run, damage);

    expect(await runs.find(own)).toMatchObject({
      phase: 'damaged',
      broken: { code: 'JOURNAL_FAILED', message: expect.stringContaining(damage.place) },
    });
    expect((await runs.find(lost)).state).toMatchObject({ run: lost, startedAt: 5, tasks: [] });
    await expect(
      runs.decide(own, { kind: 'retry', tasks: [taskId('pay')] }, { by: 'user' }),
    ).rejects.toMatchObject({ code: 'JOURNAL_FAILED' });
    for (const run of [own, lost]) {
      await runs.decide(run, { kind: 'abort' }, { by: 'user' });
      log.damage.delete(run); // A checkpoint takes the place of what is lost.
      expect((await runs.find(run)).state.finished?.outcome).toBe('aborted');
    }
    expect(tools.called).toEqual([]);
  });

  test('a run list is sorted newest first and shows an unreadable run as damaged', async () => {
    const { runs, log } = open();
    await begun(runs, [task('a')]).idle();
    log.put(runId('bad'), [payStarted]);
    await begun(runs, [task('riskyB')]).idle();

    const listed = await runs.list({ limit: 10 });

    expect(listed.map(({ state, phase }) => [state.run, phase])).toEqual([
      ['r2', 'paused'],
      ['bad', 'damaged'],
      ['r1', 'finished'],
    ]);
    expect(listed[1]?.broken).toMatchObject({ code: 'JOURNAL_FAILED' });
    expect(await runs.list({ limit: 1 })).toHaveLength(1);
  });
});

describe('a journal that fails', () => {
  const failsAt = (log: MemoryRunLog, type: RunEvent['type']) => {
    log.fails = (events) => events.some((event) => event.type === type);
  };

  test('a journal that fails at the start of a run leaves nothing behind', async () => {
    const { runs, log, tools, finished, errors } = open();
    failsAt(log, 'run-started');

    const live = begun(runs, [task('a')]);
    await live.idle();
    await expect.poll(() => runs.activeCount).toBe(0);
    log.fails = () => false;

    expect(live.broken).toMatchObject({ code: 'JOURNAL_FAILED' });
    await expect(runs.open(runId('r1'))).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    expect(tools.called).toEqual([]);
    expect(finished).toEqual([]);
    expect(errors).toEqual(['journal not written']);
  });

  // covers: RUN-IN-DOUBT
  test('a journal that fails at a result breaks the run, which resumes from the recorded events', async () => {
    const { runs, log, tools, finished } = open();
    failsAt(log, 'task-completed');
    const live = begun(runs, [task('pay'), task('read'), task('after', ['pay', 'read'])]);
    await live.idle();
    expect(live.phase).toBe('broken');
    log.fails = () => false;

    await expect.poll(async () => (await runs.find(runId('r1'))).live).toBeUndefined();
    const view = await runs.open(runId('r1'));
    await view.live?.idle();

    expect(statuses(view.live?.state as RunState)).toEqual({
      pay: 'in_doubt',
      read: 'completed',
      after: 'waiting',
    });
    const settled = { kind: 'skip', tasks: [taskId('pay')], result: 'paid' } as const;
    await runs.decide(runId('r1'), settled, { by: 'human' });
    await expect.poll(() => finished.length).toBe(1);
    expect(tools.called.filter((name) => name === 'pay')).toHaveLength(1);
    expect(tools.called.at(-1)).toBe('after');
  });

  test('a journal that fails at the end of a run keeps the end from being reported', async () => {
    const { runs, log, finished } = open();
    failsAt(log, 'run-finished');

    const live = begun(runs, [task('a')]);
    await live.idle();
    await expect.poll(async () => (await runs.find(runId('r1'))).phase).toBe('broken');

    expect(finished).toEqual([]);
  });

  test('a journal that fails for a read-only lone call is logged, and the call counts', async () => {
    const { runs, log, finished, errors } = open();
    log.fails = () => true;

    await begun(runs, [task('read')], { isDurable: false }).idle();
    await expect.poll(() => finished.length).toBe(1);

    await expect.poll(() => errors).toEqual(['journal not written']);
    expect(finished[0]?.[0].ok).toBe(true);
  });
});

describe('after a start', () => {
  // covers: RUN-DURABLE
  test('a restart resumes unowned runs and reports finished runs once more', async () => {
    const log = new MemoryRunLog();
    log.put(runId('open'), ofRun('open', payStarted, payDone('paid')));
    log.put(runId('over'), ofRun('over', payStarted, payDone('paid'), end()));
    log.put(runId('short'), [
      { type: 'run-checkpoint', state: foldEvents(ofRun('short', payStarted, end())) },
    ]);
    log.put(runId('bad'), [payStarted]);
    const { runs, tools, recovered, finished, errors } = open({ log });

    await runs.recover();
    await expect.poll(() => finished.length).toBe(1);

    expect(tools.called).toEqual(['after']);
    expect(finished[0]?.[0].run).toBe('open');
    const told = recovered.map(({ trace }) => trace.run as string);
    expect(told.filter((run) => run !== 'open')).toEqual(['over']);
    expect(recovered.find(({ trace }) => trace.run === 'over')).toMatchObject({
      startedAt: 0,
      trace: { ok: false, calls: [{ tool: 'fake:pay', ok: true }] },
    });
    expect(errors).toContain('run not readable');
  });

  test('a run with an invalid result resumes after a restart and blocks no other run [HOSTILE-RECOVERY]', async () => {
    const log = new MemoryRunLog();
    const nonsense = { ...payDone(''), result: { content: [null] } } as unknown as RunEvent;
    log.put(runId('open'), ofRun('open', payStarted, payDone('paid')));
    log.put(runId('hostile'), ofRun('hostile', payStarted, nonsense));
    log.put(runId('past'), ofRun('past', payStarted, nonsense, end()));
    log.put(runId('over'), ofRun('over', payStarted, payDone('paid'), end()));
    const { runs, tools, recovered, finished } = open({ log });

    await runs.recover();
    await expect.poll(() => finished.length).toBe(2);

    expect(tools.called).toEqual(['after']);
    const told = recovered.map(({ trace }) => trace.run as string);
    expect(told).toEqual(expect.arrayContaining(['over', 'past']));
    const { state } = await runs.find(runId('hostile'));
    expect(statuses(state)).toEqual({ pay: 'failed', after: 'skipped' });
    expect(state.finished?.outcome).toBe('failed');
  });

  test('a run with unknown events is shown as damaged, and other runs resume [HOSTILE-RECOVERY]', async () => {
    const log = new MemoryRunLog();
    const alien = { type: 'from-the-future', at: 1 } as unknown as RunEvent;
    log.put(runId('alien'), ofRun('alien', payStarted, alien));
    log.put(runId('open'), ofRun('open', payStarted, payDone('paid')));
    const { runs, finished } = open({ log });

    await runs.recover();
    await expect.poll(() => finished.length).toBe(1);

    const view = await runs.find(runId('alien'));
    expect(view).toMatchObject({ phase: 'damaged', broken: { code: 'JOURNAL_FAILED' } });
    expect(view.broken?.message).toContain('event 3 of 3');
    expect(statuses(view.state)).toEqual({ pay: 'running', after: 'waiting' });
  });

  test('a run with unknown events is read and logged once, not at every resume', async () => {
    const log = new MemoryRunLog();
    const alien = { type: 'from-the-future', at: 1 } as unknown as RunEvent;
    log.put(runId('alien'), ofRun('alien', payStarted, alien));
    const { runs, errors } = open({ log });

    for (let look = 0; look < 5; look++) await runs.resume();

    expect(errors).toEqual(['run not readable']);
  });

  test('a run that broke by an error of PML resumes only on request', async () => {
    const log = new MemoryRunLog();
    log.put(runId('open'), ofRun('open', payStarted, payDone('paid')));
    let hasClock = true;
    const now = () => {
      if (hasClock) return 0;
      throw new Error('no clock');
    };
    const loseClock = () => {
      hasClock = false;
      return Promise.resolve(text('done'));
    };
    const { runs, tools, finished } = open({ log, now, answers: { after: loseClock } });
    await runs.resume();
    await expect
      .poll(() => runs.find(runId('open')))
      .toMatchObject({ phase: 'broken', broken: { code: 'RUN_FAILED' } });
    await expect.poll(() => runs.liveCount).toBe(0);
    const called = tools.called.length;

    hasClock = true;
    for (let look = 0; look < 3; look++) await runs.resume();
    expect([tools.called.length, runs.liveCount]).toEqual([called, 0]);

    const view = await runs.open(runId('open'));
    expect(view.live).toBeDefined();
    await runs.decide(runId('open'), { kind: 'abort' }, { by: 'human' });
    await expect.poll(() => finished.length).toBe(1);
  });

  test('a run is resumed once, however many callers ask for it', async () => {
    const log = new MemoryRunLog();
    log.put(runId('open'), ofRun('open', payStarted, payDone('paid')));
    const { runs, tools, finished } = open({ log });

    await Promise.all([runs.resume(), runs.open(runId('open')), runs.recover()]);
    await expect.poll(() => finished.length).toBe(1);

    expect(tools.called).toEqual(['after']);
  });

  test('a run of another living process is left to that process', async () => {
    const first = open({ answers: { slow: never } });
    begun(first.runs, [task('slow')]);
    await expect.poll(() => first.tools.called).toEqual(['slow']);
    const second = open({ log: first.log.another(), prefix: 's' });

    await second.runs.recover();

    expect(second.tools.called).toEqual([]);
    expect(await second.runs.find(runId('r1'))).toMatchObject({ phase: 'stopped' });
    await expect(
      second.runs.decide(runId('r1'), { kind: 'abort' }, { by: 'user' }),
    ).rejects.toMatchObject({ code: 'RUN_UNKNOWN', message: expect.stringContaining('another') });
    await first.runs[Symbol.asyncDispose]();
  });
});

describe('closing', () => {
  // covers: RUN-DURABLE
  test('closing keeps finished calls, and the next process resumes from there', async () => {
    const slow = deferred<ToolResult>();
    const first = open({ answers: { pay: () => slow.promise } });
    begun(first.runs, [task('pay'), task('after', ['pay'])]);
    await expect.poll(() => first.tools.called).toEqual(['pay']);

    const closed = first.runs[Symbol.asyncDispose]();
    slow.resolve(text('paid'));
    await closed;
    first.log.crash();
    const second = open({ log: first.log.another(), prefix: 's' });
    await second.runs.recover();
    await expect.poll(() => second.finished.length).toBe(1);

    expect(first.tools.called).toEqual(['pay']);
    expect(second.tools.called).toEqual(['after']);
    expect(() => begun(first.runs, [task('a')])).toThrow('stopping');
  });

  // covers: RUN-IN-DOUBT
  test('closing leaves a pending call to the next process, which asks about it', async () => {
    const first = open({ answers: { pay: never } });
    begun(first.runs, [task('pay')]);
    await expect.poll(() => first.tools.called).toEqual(['pay']);

    await first.runs[Symbol.asyncDispose]();
    first.log.crash();
    const second = open({ log: first.log.another(), prefix: 's' });
    await second.runs.recover();
    const { live } = await second.runs.find(runId('r1'));
    await live?.idle();

    expect(second.tools.called).toEqual([]);
    expect(live?.phase).toBe('paused');
    expect(live?.state.tasks[0]?.status).toBe('in_doubt');
  });
});

describe('maintenance', () => {
  const ALL = { keepRuns: 1_000, endedBefore: 0 };
  const names = (count: number): RunId[] =>
    Array.from({ length: count }, (_, index) => runId(`old${index}`));

  test('maintenance shortens only the results of finished runs beyond the newest', async () => {
    const { runs, log } = open();
    const long = 'x'.repeat(5_000);
    for (const run of names(52)) {
      log.put(run, ofRun(run, payStarted, payDone(long), end()));
    }
    log.put(runId('old0'), ofRun('old0', payStarted));
    const whole = foldEvents(await log.read(runId('old1')));

    await runs.maintain(ALL);
    await runs.maintain(ALL);

    expect(log.writes).toHaveLength(1);
    const { state, phase } = await runs.find(runId('old1'));
    expect(phase).toBe('finished');
    expect(statuses(state)).toEqual(statuses(whole));
    expect({ ...state, tasks: [] }).toEqual({ ...whole, tasks: [] });
    expect(JSON.stringify(state).length).toBeLessThan(1_500);
    expect(await log.read(runId('old2'))).toHaveLength(4);
    expect(await log.read(runId('old0'))).toHaveLength(2);
  });

  test('maintenance continues after a run that cannot be read', async () => {
    const { runs, log, errors } = open();
    log.put(runId('bad'), [payStarted, end()]);
    for (const run of names(51)) log.put(run, ofRun(run, payStarted, payDone('ok'), end()));

    await runs.maintain(ALL);

    expect(log.writes).toHaveLength(1);
    expect(errors).toEqual(['run not readable']);
  });

  test('maintenance deletes finished runs that are too old or too many, never open ones', async () => {
    const { runs, log } = open();
    log.put(runId('open'), ofRun('open', payStarted));
    for (const [at, run] of names(5).entries()) log.put(run, ofRun(run, end(at * 10)));

    await runs.maintain({ keepRuns: 3, endedBefore: 25 });

    expect(await log.list({ limit: 10 })).toEqual(['old4', 'old3', 'open']);
  });
});
