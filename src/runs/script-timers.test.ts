/** Time in scripts: it passes, and a replayed script sees everything in the same order. */
import { setTimeout as delay } from 'node:timers/promises';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { FakeSandbox, type FakeScript } from '../../test/helpers/fake-sandbox.js';
import { type Answer, FakeTools, text } from '../../test/helpers/fake-tools.js';
import { MemoryRunLog } from '../../test/helpers/memory-run-log.js';
import { plainOptions } from '../../test/helpers/run-parts.js';
import {
  type JsonValue,
  type RunEvent,
  runId,
  type Sandbox,
  type SandboxLimits,
  silentLogger,
  type TaskError,
  taskId,
  type ToolId,
} from '../core/index.js';
import { errorType } from '../policy/index.js';
import { createSandbox } from '../sandbox/index.js';
import { Runs } from './runs.js';

const limits: SandboxLimits = {
  wallMs: 20_000,
  cpuMs: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  calls: 1_000,
  outputBytes: 1e6,
  logLines: 10,
};
const RUN = runId('r1');

interface Setup {
  readonly sandbox: Sandbox;
  readonly log?: MemoryRunLog;
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly refuse?: (tool: ToolId) => Promise<TaskError | undefined>;
  readonly awakeMs?: number;
  readonly now?: () => number;
}

function open({
  sandbox,
  log = new MemoryRunLog(),
  answers = {},
  refuse = async () => undefined,
  awakeMs = 60_000,
  now = Date.now,
}: Setup) {
  const tools = new FakeTools(answers);
  const runs = new Runs({
    log: Promise.resolve(log),
    scripts: {
      sandbox,
      limits: () => limits,
      prepare: (source) => ({
        source,
        operations: [],
        locate: (line, column) => ({ line, column, text: '' }),
      }),
      refuse: ({ tool }) => refuse(tool),
      fill: (call) => call,
    },
    awakeMs: () => awakeMs,
    callerFor: () => tools,
    settings: () => plainOptions,
    errorType,
    newRunId: () => RUN,
    now,
    logger: silentLogger,
    onFinished: () => {},
    onRecovered: () => {},
  });
  return { runs, log, tools };
}

function begin({ runs }: ReturnType<typeof open>, code: string) {
  const script = { code, args: null, seed: 1 };
  const live = runs.begin({ tasks: [], approve: 'risky', context: {}, script, isDurable: true });
  runs.start(live);
  return live;
}

async function runAgain(setup: Setup, events: readonly RunEvent[]) {
  const log = new MemoryRunLog();
  log.put(RUN, events);
  const opened = open({ ...setup, log });
  await opened.runs.resume();
  await expect
    .poll(async () => (await opened.runs.find(RUN)).phase, { timeout: 15_000 })
    .toBe('finished');
  return { ...opened, state: (await opened.runs.find(RUN)).state };
}

function valueOf(end: { status: string; value?: JsonValue } | undefined): JsonValue {
  if (end?.status !== 'returned') throw new Error(JSON.stringify(end));
  return end.value as JsonValue;
}

/** The steps of one part of a generated script, in order; each logs when it is over. */
type Step = { readonly kind: 'call' | 'pause'; readonly ms: number };

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('call' as const, 'pause' as const),
    ms: fc.integer({ min: 0, max: 12 }),
  }),
  { minLength: 1, maxLength: 4 },
);

function programOf(parts: readonly (readonly Step[])[]): string {
  return `const parts = ${JSON.stringify(parts)};
    const seen = [];
    const begun = Date.now();
    const act = (step, part, place) =>
      step.kind === 'pause' ? new Promise((go) => setTimeout(go, step.ms)) : mcp.fake.read_slowly({ ms: step.ms, part, place });
    await Promise.all(parts.map(async (steps, part) => {
      for (const [place, step] of steps.entries()) {
        await act(step, part, place);
        seen.push([part, place, Date.now() - begun]);
      }
    }));
    return seen;`;
}

const answers: Readonly<Record<string, Answer>> = {
  read_slowly: async (_, { ms }) => (await delay(Number(ms)), text('done')),
};

describe('timers of scripts', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = createSandbox({ log: silentLogger });
    await sandbox.warmUp();
  }, 60_000);
  afterAll(() => sandbox[Symbol.asyncDispose]());

  test('replayed script sees timers and results in the same order and at the same times', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 0, max: 3 }),
        async (parts, diskMs) => {
          const setup = { sandbox, answers };
          const log = new MemoryRunLog();
          log.gate = () => delay(diskMs);
          const first = open({ ...setup, log });
          const live = begin(first, programOf(parts));
          await live.idle();
          const recorded = live.events.filter(
            ({ type }) => type !== 'script-ended' && type !== 'run-finished',
          );

          const again = await runAgain(setup, recorded);

          expect(valueOf(again.state.script?.end)).toEqual(valueOf(live.state.script?.end));
          expect(again.tools.calls).toEqual([]);
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  }, 120_000);

  test('replayed script sees the recorded results in the same order after its process died', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(steps, { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (parts, cut) => {
          const setup = { sandbox, answers };
          const program = programOf(parts);
          const live = begin(open(setup), program);
          await live.idle();
          const all = live.events.filter(({ type }) => type !== 'run-finished');
          const recorded = all.slice(0, 1 + Math.floor(cut * (all.length - 2)));
          const isAnswer = ({ type }: RunEvent) => type === 'task-completed';
          const known = recorded.filter(isAnswer).length;

          // Pending calls are made again: they only read.
          const again = await runAgain(setup, recorded);

          type Seen = readonly (readonly [number, number, number])[];
          const untilKnown = (value: JsonValue): JsonValue => {
            const seen = value as unknown as Seen;
            const isCall = ([part, place]: readonly [number, number, number]) =>
              parts[part]?.[place]?.kind === 'call';
            let calls = 0;
            const end = seen.findIndex((one) => isCall(one) && ++calls > known);
            const last = end === -1 ? seen.length : seen.slice(0, end).findLastIndex(isCall) + 1;
            return seen.slice(0, last) as unknown as JsonValue;
          };
          expect(untilKnown(valueOf(again.state.script?.end))).toEqual(
            untilKnown(valueOf(live.state.script?.end)),
          );
        },
      ),
      { numRuns: 25, endOnFailure: true },
    );
  }, 120_000);

  test('replayed script does not wait again for a timer that has already expired', async () => {
    const hour = 3_600_000;
    const at = Date.now() - 3 * hour;
    const code = `await new Promise((r) => setTimeout(r, ${hour})); await mcp.fake.read_slowly({ ms: 0 });
      await new Promise((r) => setTimeout(r, ${hour})); return 'over'`;
    const task = {
      id: taskId('c1'),
      tool: 'fake:read_slowly' as ToolId,
      args: { ms: 0 },
      needs: [],
    };

    const { state } = await runAgain({ sandbox, answers }, [
      {
        type: 'run-started',
        run: RUN,
        at,
        tasks: [],
        approve: 'risky',
        context: {},
        script: { code, args: null, seed: 1 },
      },
      { type: 'task-called', task, at: at + hour },
      { type: 'task-started', task: task.id, at: at + hour, repeatable: true },
      { type: 'task-completed', task: task.id, at: at + hour + 5, ms: 5, result: text('done') },
    ]);

    expect(valueOf(state.script?.end)).toBe('over');
  });

  test('replayed script gets recorded results before new ones, even if a timer leads to further calls', async () => {
    const at = Date.now() - 60_000;
    const code = `const seen = [];
      const open = mcp.fake.read_new({}).then(() => seen.push('new'));
      await mcp.fake.read_old({}).then(() => seen.push('old'));
      await new Promise((go) => setTimeout(go, 10));
      seen.push('timer');
      await Promise.all([open, mcp.fake.read_late({}).then(() => seen.push('late'))]);
      return seen`;
    const call = (id: string, name: string, ms: number): RunEvent[] => [
      {
        type: 'task-called',
        task: { id: taskId(id), tool: `fake:${name}` as ToolId, args: {}, needs: [] },
        at: at + ms,
      },
      { type: 'task-started', task: taskId(id), at: at + ms, repeatable: true },
    ];
    const begun: RunEvent = {
      type: 'run-started',
      run: RUN,
      at,
      tasks: [],
      approve: 'risky',
      context: {},
      script: { code, args: null, seed: 1 },
    };

    const { state } = await runAgain({ sandbox, answers }, [
      begun,
      ...call('c1', 'read_new', 0),
      ...call('c2', 'read_old', 0),
      { type: 'task-completed', task: taskId('c2'), at: at + 5, ms: 5, result: text('old') },
      ...call('c3', 'read_late', 16),
    ]);

    const seen = valueOf(state.script?.end) as readonly string[];
    expect(seen.slice(0, 2)).toEqual(['old', 'timer']);
    expect(seen).toHaveLength(4);
  });

  test('script gets a refusal before its timers, however long PML takes to refuse the call', async () => {
    const refuse = async (): Promise<TaskError> => (
      await delay(40),
      { code: 'TOOL_DENIED', message: 'no' }
    );
    const code = `const seen = [];
      await Promise.all([
        mcp.fake.one().catch(() => seen.push('refused')),
        new Promise((go) => setTimeout(() => go(seen.push('timer')), 5)),
      ]);
      return seen`;

    const live = begin(open({ sandbox, refuse }), code);
    await live.idle();

    expect(valueOf(live.state.script?.end)).toEqual(['refused', 'timer']);
  });

  test('timer in a script does not overtake an earlier result that is still being written to disk', async () => {
    const log = new MemoryRunLog();
    log.gate = (events) =>
      events.some(({ type }) => type === 'task-completed') ? delay(2_500) : undefined;
    const code = `const seen = [];
      await Promise.all([
        mcp.fake.read_slowly({ ms: 0 }).then(() => seen.push('answer')),
        new Promise((go) => setTimeout(() => go(seen.push('timer')), 2_000)),
      ]);
      return seen`;

    const live = begin(open({ sandbox, answers, log }), code);
    await live.idle();

    expect(valueOf(live.state.script?.end)).toEqual(['answer', 'timer']);
  });

  test('script order and clock survive a system clock that is set back, without delay', async () => {
    let ahead = 3_600_000;
    const setup = { sandbox, answers, now: () => Date.now() + ahead };
    const code = `const seen = [];
      await mcp.fake.back({});
      await Promise.all([
        new Promise((go) => setTimeout(() => go(seen.push('timer')), 10)),
        mcp.fake.read_slowly({ ms: 60 }).then(() => seen.push('answer')),
      ]);
      return [seen, Date.now()]`;
    const back: Answer = async () => ((ahead = 0), text('set back'));

    const live = begin(open({ ...setup, answers: { ...answers, back } }), code);
    await live.idle();
    const recorded = live.events.filter(
      ({ type }) => type !== 'script-ended' && type !== 'run-finished',
    );
    const again = await runAgain(setup, recorded);

    expect(valueOf(live.state.script?.end)).toMatchObject([
      ['timer', 'answer'],
      expect.any(Number),
    ]);
    expect(valueOf(again.state.script?.end)).toEqual(valueOf(live.state.script?.end));
  });

  test('script that only waits for a timer counts as running and can be cancelled', async () => {
    const opened = open({ sandbox });
    const live = begin(opened, 'await new Promise((r) => setTimeout(r, 60_000))');
    await delay(50);
    expect(live.phase).toBe('running');

    await live.decide({ kind: 'abort' }, 'agent');

    await expect.poll(() => live.phase).toBe('finished');
    expect(live.state.finished?.outcome).toBe('aborted');
  });
});

describe('a script that waits for a decision and for a timer', () => {
  const giveUp =
    (ms: number): FakeScript =>
    async (guest) =>
      Promise.race([guest.call('fake:risky_one'), guest.pause(ms).then(() => 'gave up')]);

  test('run that waits for a decision and a timer is paused and continues when the timer is due', async () => {
    const live = begin(open({ sandbox: new FakeSandbox({ main: giveUp(200) }) }), 'main');

    await expect.poll(() => live.phase).toBe('paused');
    await expect.poll(() => live.state.script?.end).toMatchObject({ value: 'gave up' });
  });

  test('evicted script that waits for a decision and a timer is replayed when the timer is due', async () => {
    const sandbox = new FakeSandbox({ main: giveUp(300) });
    const live = begin(open({ sandbox, awakeMs: 1 }), 'main');

    await expect.poll(() => live.phase).toBe('paused');
    await expect.poll(() => live.state.script?.end).toMatchObject({ value: 'gave up' });

    // A timer of Node may fire a millisecond early: then PML evicts the script once more.
    expect(sandbox.runs).toBeGreaterThanOrEqual(2);
  });

  test('script that waits for a decision and a timer continues with the decision if it comes first', async () => {
    const sandbox = new FakeSandbox({ main: giveUp(60_000) });
    const live = begin(open({ sandbox, awakeMs: 1 }), 'main');
    await expect.poll(() => live.phase).toBe('paused');

    await live.decide({ kind: 'approve', tasks: [taskId('c1')] }, 'agent');

    await expect.poll(() => live.state.script?.end).toMatchObject({ value: 'fake:risky_one' });
  });
});
