/** Code that tasks of a run execute: capabilities, and capabilities inside them. */
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import { FakeSandbox, type FakeScript } from '../../test/helpers/fake-sandbox.js';
import { type Answer, FakeTools, never, text } from '../../test/helpers/fake-tools.js';
import { MemoryRunLog } from '../../test/helpers/memory-run-log.js';
import { plainOptions, statuses } from '../../test/helpers/run-parts.js';
import {
  isCapability,
  type JsonObject,
  PmlError,
  type RunEvent,
  runId,
  silentLogger,
  type Task,
  taskId,
  type ToolCaller,
  type ToolId,
} from '../core/index.js';
import type { LiveRun, RunTrace } from '../executor/index.js';
import { errorType, type ToolPolicy } from '../policy/index.js';
import { Runs } from './runs.js';

const LIMITS = {
  wallMs: 1_000,
  cpuMs: 1_000,
  memoryBytes: 1e6,
  calls: 100,
  outputBytes: 1e6,
  logLines: 10,
};

/** The policy of a capability that calls tools of every kind. */
const WORST: ToolPolicy = {
  risk: 'risky',
  repeatable: false,
  ask: { always: true, why: 'one of its tools is asked about' },
};

interface Setup {
  readonly log?: MemoryRunLog;
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly awakeMs?: number;
  readonly wallMs?: number;
}

/** A capability is the script with its name. */
function open(scripts: Readonly<Record<string, FakeScript>>, setup: Setup = {}) {
  const { log = new MemoryRunLog(), answers, awakeMs = 60_000, wallMs = 1_000 } = setup;
  const tools = new FakeTools(answers);
  const sandbox = new FakeSandbox(scripts);
  const traces: RunTrace[] = [];
  let clock = 1_000;
  const callerFor = (): ToolCaller => ({
    async call(tool, args, options) {
      const { task, signal } = options;
      if (!isCapability(tool) || !task) return tools.call(tool, args, options);
      const script = { code: tool.slice('cap:'.length), args, seed: 1 };
      const end = await runs.runNested(runId('r1'), script, { task, signal });
      if (end.status === 'failed') throw new PmlError(end.error.code, end.error.message);
      return { content: [], structuredContent: end.value };
    },
  });
  const runs = new Runs({
    log: Promise.resolve(log),
    scripts: {
      sandbox,
      limits: () => ({ ...LIMITS, wallMs }),
      prepare: (code) => ({
        source: code,
        operations: ['filter', 'map'].map((name) => ({ operation: `code:${name}`, line: 1 })),
        locate: (line, column) => ({ line, column, text: code }),
      }),
      refuse: async ({ tool }) =>
        tool.endsWith('bad') ? { code: 'TOOL_UNKNOWN', message: 'no such tool' } : undefined,
      fill: (call) => call,
    },
    awakeMs: () => awakeMs,
    callerFor,
    settings: () => ({
      ...plainOptions,
      policyOf: (tool) => (isCapability(tool) ? WORST : plainOptions.policyOf(tool)),
    }),
    errorType,
    newRunId: () => runId('r1'),
    now: () => ++clock,
    logger: silentLogger,
    onFinished: (trace) => void (trace && traces.push(trace)),
    onRecovered: () => {},
  });
  return { runs, log, tools, sandbox, traces };
}

function begin({ runs }: ReturnType<typeof open>, tasks?: readonly Task[]): LiveRun {
  const live = runs.begin({
    tasks: tasks ?? [],
    approve: 'risky',
    context: {},
    ...(!tasks && { script: { code: 'main', args: {}, seed: 1 } }),
    isDurable: true,
  });
  runs.start(live);
  return live;
}

const capability = (id: string, name: string, args: JsonObject = {}): Task => ({
  id: taskId(id),
  tool: `cap:${name}` as ToolId,
  args,
  needs: [],
});

/** Each tool with the tool that called it. */
const pathOf = ({ calls }: RunTrace) =>
  calls.map(({ tool, parent }) => [tool, parent === undefined ? '' : calls[parent]?.tool]);

const inner: FakeScript = async (guest) => {
  guest.log('inside');
  const one = await guest.call('fake:one');
  guest.operate(0);
  return [one, await guest.call('fake:two')];
};

describe('what happens inside a capability', () => {
  test('calls inside a capability are in the state and in the trace, with their parent', async () => {
    const setup = open({
      inner,
      middle: async (guest) => {
        await guest.call('fake:bad').catch(() => 'refused');
        guest.operate(1);
        return guest.call('cap:inner');
      },
      main: async (guest) => {
        guest.operate(0);
        await guest.call('cap:middle');
        return guest.call('fake:last');
      },
    });

    const live = begin(setup);
    await live.idle();
    await expect.poll(() => setup.traces.length).toBe(1);

    const [middle, within] = live.state.tasks;
    expect(middle?.script?.operations).toMatchObject([{ operation: 'code:map', afterCall: 0 }]);
    expect(within?.script).toMatchObject({
      logs: [{ text: 'inside' }],
      operations: [{ operation: 'code:filter', afterCall: 1 }],
    });
    expect(setup.traces.map(pathOf)).toEqual([
      [
        ['code:filter', ''],
        ['cap:middle', ''],
        ['code:map', 'cap:middle'],
        ['cap:inner', 'cap:middle'],
        ['fake:one', 'cap:inner'],
        ['code:filter', 'cap:inner'],
        ['fake:two', 'cap:inner'],
        ['fake:last', ''],
      ],
    ]);
  });

  test('calls inside a capability that is a task of a plan are in the trace, whatever the task ids', async () => {
    const setup = open({ inner });

    // The second call of a script would get the same id.
    const live = begin(setup, [capability('c3', 'inner'), capability('x', 'inner')]);
    await live.idle();
    await expect.poll(() => setup.traces.length).toBe(1);

    expect(live.state.finished?.outcome).toBe('completed');
    expect(new Set(live.state.tasks.map(({ task }) => task.id)).size).toBe(6);
    const one = [
      ['cap:inner', ''],
      ['fake:one', 'cap:inner'],
      ['code:filter', 'cap:inner'],
      ['fake:two', 'cap:inner'],
    ];
    expect(setup.traces.map(pathOf)).toEqual([[...one, ...one]]);
  });
});

describe('a capability that waits for a decision', () => {
  const asking: FakeScript = async (guest) => {
    const one = await guest.call('fake:one');
    return [one, await guest.call('fake:risky_send')];
  };

  test('a capability that waits for a decision is evicted with its script and resumes when decided', async () => {
    const scripts = { main: (guest) => guest.call('cap:asking'), asking } satisfies Record<
      string,
      FakeScript
    >;
    const setup = open(scripts, { awakeMs: 0, wallMs: 200 });
    const live = begin(setup);
    await live.idle();

    // Longer than its time limit: meanwhile nothing executes it.
    await delay(300);
    const before = live.phase;
    await live.decide({ kind: 'approve', tasks: [taskId('c3')] }, 'agent');
    await expect.poll(() => live.phase).toBe('finished');

    expect(before).toBe('paused');
    expect(live.state.script?.end).toEqual({
      status: 'returned',
      value: ['fake:one', 'fake:risky_send'],
    });
    expect(setup.tools.called).toEqual(['one', 'risky_send']);
    expect(setup.sandbox.runs).toBe(4);
  });

  test('a capability whose late responses come after its end does not keep the run from asking', async () => {
    let answer = () => {};
    const late: Answer = () => new Promise((resolve) => (answer = () => resolve(text('late'))));
    const setup = open(
      {
        careless: async (guest) => {
          void guest.call('fake:late').catch(() => {});
          await guest.call('fake:one');
          return 'done';
        },
        main: async (guest) => {
          await guest.call('cap:careless');
          return guest.call('fake:risky_send');
        },
      },
      { answers: { late } },
    );
    const live = begin(setup);
    await expect.poll(() => statuses(live.state)['c4']).toBe('needs_approval');

    answer();

    await expect.poll(() => live.phase).toBe('paused');
  });
});

test('a failed capability makes no further calls', async () => {
  const setup = open({
    failing: async (guest) => {
      void guest.call('fake:risky_send').catch(() => {});
      await guest.call('fake:one');
      throw new Error('no more');
    },
    main: async (guest) => guest.call('cap:failing').catch(() => 'went on'),
  });

  const live = begin(setup);
  await expect.poll(() => live.phase).toBe('finished');

  expect(live.state.script?.end).toMatchObject({ value: 'went on' });
  expect(statuses(live.state)).toMatchObject({ c1: 'failed', c2: 'skipped', c3: 'completed' });
});

test('a capability that its caller no longer waits for makes no further call', async () => {
  const setup = open(
    {
      slow: async (guest) => {
        await guest.call('fake:one').catch(() => {});
        return guest.call('fake:two');
      },
    },
    { answers: { one: never } },
  );

  const live = begin(setup, [{ ...capability('a', 'slow'), timeoutMs: 30 }]);
  await expect.poll(() => statuses(live.state)['a']).toBe('failed');
  await live.decide({ kind: 'abort' }, 'user');
  await expect.poll(() => live.phase).toBe('finished');
  await delay(20);

  expect(setup.tools.called).toEqual(['one']);
});

describe('a capability in a resumed run', () => {
  const begun: readonly RunEvent[] = [
    {
      type: 'run-started',
      run: runId('r1'),
      at: 1,
      tasks: [],
      approve: 'risky',
      context: {},
      script: { code: 'main', args: {}, seed: 1 },
    },
    { type: 'task-called', task: capability('c1', 'inner'), at: 2 },
    { type: 'task-started', task: taskId('c1'), at: 2, repeatable: true },
    {
      type: 'task-called',
      task: {
        id: taskId('c2'),
        tool: 'fake:one' as ToolId,
        args: {},
        needs: [],
        parent: taskId('c1'),
      },
      at: 3,
    },
    { type: 'task-started', task: taskId('c2'), at: 3, repeatable: false },
  ];
  const answered: RunEvent = {
    type: 'task-completed',
    task: taskId('c2'),
    at: 4,
    ms: 1,
    result: text('kept'),
  };

  async function takeUp(events: readonly RunEvent[]) {
    const log = new MemoryRunLog();
    log.put(runId('r1'), events);
    const setup = open({ inner, main: (guest) => guest.call('cap:inner') }, { log });
    await setup.runs.resume();
    const { live } = await setup.runs.find(runId('r1'));
    if (!live) throw new Error('it was not resumed');
    await live.idle();
    return { ...setup, live };
  }

  test('a capability in a resumed run continues after its last result, and its trace is complete', async () => {
    const { live, tools, traces } = await takeUp([...begun, answered]);
    await expect.poll(() => traces.length).toBe(1);

    expect(live.state.script?.end).toMatchObject({ value: ['kept', 'fake:two'] });
    expect(tools.called).toEqual(['two']);
    expect(traces.map(pathOf)).toEqual([
      [
        ['cap:inner', ''],
        ['fake:one', 'cap:inner'],
        ['code:filter', 'cap:inner'],
        ['fake:two', 'cap:inner'],
      ],
    ]);
  });

  test('a capability in a resumed run asks about its call in doubt and uses the decision', async () => {
    const { live, tools } = await takeUp(begun);
    const asked = live.phase;

    await live.decide({ kind: 'skip', tasks: [taskId('c2')], result: 'it did' }, 'agent');
    await expect.poll(() => live.phase).toBe('finished');

    expect(asked).toBe('paused');
    expect(live.state.script?.end).toMatchObject({ value: ['it did', 'fake:two'] });
    expect(tools.called).toEqual(['two']);
  });
});
