import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { FakeSandbox, type FakeScript } from '../../test/helpers/fake-sandbox.js';
import { type Answer, FakeTools, text } from '../../test/helpers/fake-tools.js';
import { MemoryRunLog } from '../../test/helpers/memory-run-log.js';
import { plainOptions } from '../../test/helpers/run-parts.js';
import {
  type JsonValue,
  type RunEvent,
  runId,
  type SandboxLimits,
  silentLogger,
  type Task,
  type TaskError,
  taskId,
  type ToolId,
} from '../core/index.js';
import { errorType } from '../policy/index.js';
import { Runs } from './runs.js';
import type { ReadyCode, ScriptPorts } from './script-ports.js';

const limits: SandboxLimits = {
  wallMs: 1_000,
  cpuMs: 1_000,
  memoryBytes: 1e6,
  calls: 100,
  outputBytes: 1e6,
  logLines: 10,
};

interface Setup {
  readonly log?: MemoryRunLog;
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly refuse?: (tool: ToolId) => TaskError | undefined | Promise<TaskError>;
  readonly awakeMs?: number;
}

function open(scripts: Readonly<Record<string, FakeScript>>, setup: Setup = {}) {
  const { log = new MemoryRunLog(), answers, refuse = () => undefined, awakeMs = 60_000 } = setup;
  const tools = new FakeTools(answers);
  const sandbox = new FakeSandbox(scripts);
  const ports: ScriptPorts = {
    sandbox,
    limits: () => limits,
    prepare: (code) => ({
      source: code,
      operations: [],
      locate: (line, column) => ({ line, column, text: code }),
    }),
    refuse: async ({ tool }) => refuse(tool),
    fill: (call) => call,
  };
  const runs = new Runs({
    log: Promise.resolve(log),
    scripts: ports,
    awakeMs: () => awakeMs,
    callerFor: () => tools,
    settings: () => plainOptions,
    errorType,
    newRunId: () => runId('r1'),
    now: () => 5,
    logger: silentLogger,
    onFinished: () => {},
    onRecovered: () => {},
  });
  return { runs, log, tools, sandbox };
}

function begin({ runs }: ReturnType<typeof open>, code: string, ready?: ReadyCode) {
  const live = runs.begin({
    ...(ready && { ready }),
    tasks: [],
    approve: 'risky',
    context: {},
    script: { code, args: { n: 2 }, seed: 1 },
    isDurable: true,
  });
  runs.start(live);
  return live;
}

test('sandbox executes the prepared form of a script, and the journal keeps the original code', async () => {
  const set = open({ prepared: async () => 'done' });
  const live = begin(set, 'as written', {
    source: 'prepared',
    operations: [],
    locate: (line, column) => ({ line, column, text: '' }),
  });

  await live.idle();

  expect(live.state.script).toMatchObject({
    code: 'as written',
    end: { status: 'returned', value: 'done' },
  });
  expect(JSON.stringify(live.events)).not.toContain('prepared');
});

/** The journal of a process that died after these events. */
function leftBehind(...events: readonly RunEvent[]): MemoryRunLog {
  const log = new MemoryRunLog();
  const started: RunEvent = {
    type: 'run-started',
    run: runId('r1'),
    at: 1,
    tasks: [],
    approve: 'risky',
    context: {},
    script: { code: 'main', args: { n: 2 }, seed: 1 },
  };
  log.put(runId('r1'), [started, ...events]);
  return log;
}

const called = (id: string, tool: string, args = {}): RunEvent => ({
  type: 'task-called',
  task: { id: taskId(id), tool: `fake:${tool}` as ToolId, args, needs: [] },
  at: 2,
});
const started = (id: string): RunEvent => ({
  type: 'task-started',
  task: taskId(id),
  at: 2,
  repeatable: false,
});
const done = (id: string, value: string): RunEvent => ({
  type: 'task-completed',
  task: taskId(id),
  at: 3,
  ms: 1,
  result: text(value),
});

const twoSteps: FakeScript = async (guest) => {
  const first = await guest.call('fake:one');
  return [first, await guest.call('fake:two', { first })];
};

describe('a script', () => {
  test('script run records each call as a task and returns the value of the script as its result', async () => {
    const setup = open({ main: twoSteps });

    const live = begin(setup, 'main');
    await live.idle();

    expect(live.state.script?.end).toEqual({
      status: 'returned',
      value: ['fake:one', 'fake:two'],
    });
    expect(live.state.finished?.outcome).toBe('completed');
    expect(live.state.tasks.map(({ task, status }) => [task.id, task.tool, status])).toEqual([
      ['c1', 'fake:one', 'completed'],
      ['c2', 'fake:two', 'completed'],
    ]);
  });

  test('script that catches a failed call succeeds, and an uncaught error fails with its line number', async () => {
    const answers = { one: new Error('no such row') };
    const caught = open(
      { main: (guest) => guest.call('fake:one').catch(() => 'none') },
      { answers },
    );
    const thrown = open({ main: (guest) => guest.call('fake:one') }, { answers });

    const [good, bad] = [begin(caught, 'main'), begin(thrown, 'main')];
    await Promise.all([good.idle(), bad.idle()]);

    expect(good.state.finished?.outcome).toBe('completed');
    expect(bad.state).toMatchObject({
      finished: { outcome: 'failed' },
      script: { end: { error: { code: 'CODE_FAILED' } } },
    });
    expect(bad.state.script?.end).toHaveProperty(
      'error.message',
      expect.stringContaining('at line 1, column 1: main'),
    );
  });

  test('script gets a refused call as an error at once, and the run records no task for it', async () => {
    const refuse = () => ({ code: 'TOOL_DENIED', message: 'not here' }) as const;
    const setup = open(
      { main: (guest) => guest.call('fake:one').catch((error: Error) => error.message) },
      { refuse },
    );

    const live = begin(setup, 'main');
    await live.idle();

    expect(live.state.script?.end).toMatchObject({ value: 'not here' });
    expect(live.state.tasks).toEqual([]);
    expect(setup.tools.calls).toEqual([]);
  });

  test('script waits for an approval and continues with the result of the approved call', async () => {
    const setup = open({ main: (guest) => guest.call('fake:risky_one') });

    const live = begin(setup, 'main');
    await expect.poll(() => live.phase).toBe('paused');
    expect(setup.tools.calls).toEqual([]);
    await live.decide({ kind: 'approve', tasks: [taskId('c1')] }, 'agent');
    await live.idle();

    expect(live.state.script?.end).toMatchObject({ value: 'fake:risky_one' });
    expect(setup.sandbox.runs).toBe(1);
  });

  test('script that waits long for a decision is evicted and replayed after the decision', async () => {
    const main: FakeScript = async (guest) => {
      await guest.call('fake:one');
      return guest.call('fake:risky_one');
    };
    const setup = open({ main }, { awakeMs: 1 });

    const live = begin(setup, 'main');
    await expect.poll(() => live.phase).toBe('paused');
    await new Promise((resolve) => setTimeout(resolve, 30));
    await live.decide({ kind: 'approve', tasks: [taskId('c2')] }, 'agent');
    await expect.poll(() => live.state.finished?.outcome).toBe('completed');

    expect(setup.sandbox.runs).toBe(2);
    expect(setup.tools.calls.map(([tool]) => tool)).toEqual(['fake:one', 'fake:risky_one']);
  });
});

// covers: RUN-DURABLE
describe('a script that is executed again', () => {
  test('replayed script gets its recorded results and makes only the calls it has not made yet', async () => {
    const log = leftBehind(called('c1', 'one'), started('c1'), done('c1', 'kept'));
    const setup = open({ main: twoSteps }, { log });

    await setup.runs.resume();
    const { live } = await setup.runs.find(runId('r1'));
    await live?.idle();

    expect(setup.tools.calls).toEqual([['fake:two', { first: 'kept' }]]);
    expect(live?.state.script?.end).toMatchObject({ value: ['kept', 'fake:two'] });
  });

  test('replayed script gets the recorded result of a call whose arguments PML had completed', async () => {
    const guess = { source: 'lifted default', score: 0.5, because: 'an example' } as const;
    const task: Task = {
      id: taskId('c1'),
      tool: 'cap:note' as ToolId,
      args: { city: 'Lisbon', days: 3 },
      guessed: { city: guess },
      needs: [],
    };
    const log = leftBehind({ type: 'task-called', task, at: 2 }, started('c1'), done('c1', 'kept'));
    const setup = open({ main: (guest) => guest.call('cap:note', { days: 3 }) }, { log });

    await setup.runs.resume();
    const { live } = await setup.runs.find(runId('r1'));
    await live?.idle();

    expect(live?.state.script?.end).toMatchObject({ value: 'kept' });
    expect(setup.tools.calls).toEqual([]);
  });

  test('replayed script gets results in their recorded order, whatever order it awaits them in', async () => {
    const log = leftBehind(
      called('c1', 'a'),
      called('c2', 'b'),
      started('c1'),
      started('c2'),
      done('c2', 'b'),
      done('c1', 'a'),
    );
    const main: FakeScript = async (guest) => {
      const order: JsonValue[] = [];
      const note = async (tool: string) => void order.push(await guest.call(tool));
      await Promise.all([note('fake:a'), note('fake:b')]);
      return order;
    };
    const setup = open({ main }, { log });

    await setup.runs.resume();
    const { live } = await setup.runs.find(runId('r1'));
    await live?.idle();

    expect(live?.state.script?.end).toMatchObject({ value: ['b', 'a'] });
    expect(setup.tools.calls).toEqual([]);
  });

  // covers: RUN-IN-DOUBT
  test('replayed script asks for a decision about a call in doubt and does not repeat it', async () => {
    const log = leftBehind(called('c1', 'one'), started('c1'));
    const setup = open({ main: (guest) => guest.call('fake:one') }, { log });

    await setup.runs.resume();
    const { live } = await setup.runs.find(runId('r1'));
    await expect.poll(() => live?.phase).toBe('paused');
    expect(setup.tools.calls).toEqual([]);
    await live?.decide({ kind: 'skip', tasks: [taskId('c1')], result: 'it did' }, 'agent');
    await live?.idle();

    expect(live?.state.script?.end).toMatchObject({ value: 'it did' });
    expect(setup.tools.calls).toEqual([]);
  });

  test('replayed script has not diverged while PML still refuses a call that comes first', async () => {
    const log = leftBehind(called('c1', 'one'), started('c1'), done('c1', 'kept'));
    const main: FakeScript = async (guest) => {
      const refused = await guest.call('fake:bad').catch(({ name }: Error) => name);
      return [refused, await guest.call('fake:one')];
    };
    const refuse = async () => {
      await delay(10); // The script has long reported that it waits.
      return { code: 'TOOL_UNKNOWN', message: 'no such tool' } as const;
    };
    const setup = open({ main }, { log, refuse });

    await setup.runs.resume();
    const { live } = await setup.runs.find(runId('r1'));
    await live?.idle();

    expect(live?.state.script?.end).toMatchObject({ value: ['ToolError', 'kept'] });
    expect(setup.tools.calls).toEqual([]);
  });

  test('replayed script that calls with other arguments than the call in doubt diverges and calls nothing', async () => {
    const log = leftBehind(called('c1', 'one', { at: 1 }), started('c1'));
    const setup = open({ main: (guest) => guest.call('fake:one', { at: 2 }) }, { log });

    await setup.runs.resume();
    const { live } = await setup.runs.find(runId('r1'));
    await expect.poll(() => live?.state.script?.end).toBeDefined();

    expect(live?.state.script?.end).toMatchObject({ error: { code: 'REPLAY_DIVERGED' } });
    expect(setup.tools.calls).toEqual([]);
  });

  test('replayed script that makes another call than recorded is stopped and calls nothing new', async () => {
    const log = leftBehind(called('c1', 'one'), started('c1'), done('c1', 'kept'));
    const setup = open({ main: (guest) => guest.call('fake:other') }, { log });

    await setup.runs.resume();
    const { live } = await setup.runs.find(runId('r1'));
    await expect.poll(() => live?.state.finished?.outcome).toBe('failed');

    expect(live?.state.script?.end).toMatchObject({ error: { code: 'REPLAY_DIVERGED' } });
    expect(setup.tools.calls).toEqual([]);
  });

  test('replayed script that ends without a recorded call counts as diverged', async () => {
    const log = leftBehind(called('c1', 'one'), started('c1'), done('c1', 'kept'));
    const setup = open({ main: async () => 'nothing to do' }, { log });

    await setup.runs.resume();
    const { live } = await setup.runs.find(runId('r1'));
    await expect.poll(() => live?.state.finished?.outcome).toBe('failed');

    expect(live?.state.script?.end).toMatchObject({ error: { code: 'REPLAY_DIVERGED' } });
  });
});

test('capability whose code calls itself is stopped', async () => {
  const setup = open({ main: (guest) => guest.call('fake:one') });
  const live = setup.runs.begin({
    tasks: [
      { id: taskId('a'), tool: 'cap:loop' as ToolId, args: {}, needs: [] },
      { id: taskId('b'), tool: 'cap:loop' as ToolId, args: {}, needs: [], parent: taskId('a') },
    ],
    approve: 'never',
    context: {},
    isDurable: true,
  });

  const script = { code: 'main', args: {}, seed: 1 };
  const { signal } = new AbortController();
  const nested = setup.runs.runNested(live.state.run, script, { task: taskId('b'), signal });

  await expect(nested).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'cap:loop comes to call itself',
  });
});

// covers: HOSTILE-RECOVERY
test('replayed script whose recorded result is unreadable fails with the reason and does not hang', async () => {
  const unreadable = {
    content: [],
    get structuredContent(): never {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  const answered = { ...done('c1', ''), result: unreadable } as RunEvent;
  const setup = open(
    { main: twoSteps },
    { log: leftBehind(called('c1', 'one'), started('c1'), answered) },
  );

  await setup.runs.recover();
  await expect
    .poll(async () => (await setup.runs.find(runId('r1'))).state.finished?.outcome)
    .toBe('failed');

  const { state } = await setup.runs.find(runId('r1'));
  expect(state.script?.end).toMatchObject({ error: { code: 'CODE_STOPPED' } });
});
