import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  type CallOptions,
  type JsonObject,
  type Plan,
  PmlError,
  type RunEvent,
  runId,
  serverName,
  type TaskId,
  taskId,
  type ToolCaller,
  toolId,
  type ToolResult,
} from '../core/index.js';
import { runPlan, type RunPlanOptions } from './run-plan.js';
import { applyEvent, initialRunState } from './run-state.js';
import { summarizeRun } from './summarize-run.js';

const FAKE = serverName('fake');

type Answer = ToolResult | Error | ((options: CallOptions) => Promise<ToolResult>);

/** Answers by tool name and remembers what it was asked; an unlisted tool answers its own name. */
function fakeTools(answers: Record<string, Answer> = {}) {
  const calls: [tool: string, args: JsonObject][] = [];
  const caller: ToolCaller = {
    async call(tool, args, options) {
      calls.push([tool, args]);
      const answer = answers[tool.slice(5)] ?? text(tool);
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? answer(options) : answer;
    },
  };
  return { caller, calls };
}

const text = (value: string): ToolResult => ({ content: [{ type: 'text', text: value }] });

/** Settles only when aborted, like a server that never answers. */
const never = ({ signal }: CallOptions) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });

const plan = (...tasks: [id: string, needs?: string[], args?: JsonObject][]): Plan => ({
  tasks: tasks.map(([id, needs = [], args = {}]) => ({
    id: taskId(id),
    tool: toolId(FAKE, id),
    args,
    needs: needs.map(taskId),
  })),
});

async function run(tasks: Plan, tools: ToolCaller, options: Partial<RunPlanOptions> = {}) {
  const signal = new AbortController().signal;
  const events: RunEvent[] = [];
  for await (const event of runPlan(tasks, tools, {
    run: runId('r1'),
    concurrency: 4,
    signal,
    now: () => 0,
    ...options,
  })) {
    events.push(event);
  }
  return { events, summary: summarizeRun(events.reduce(applyEvent, initialRunState)) };
}

const statuses = ({ summary }: Awaited<ReturnType<typeof run>>) =>
  Object.fromEntries(summary.tasks.map(({ id, status }) => [id, status]));

describe('a run that goes well', () => {
  test('hands each task the outputs it refers to', async () => {
    const read: ToolResult = { content: [], structuredContent: { lines: ['one', 'two'] } };
    const { caller, calls } = fakeTools({ read });

    const { events, summary } = await run(
      plan(['write', ['read'], { text: { $ref: 'read.lines[1]' } }], ['read']),
      caller,
    );

    expect(calls).toEqual([
      ['fake:read', {}],
      ['fake:write', { text: 'two' }],
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      'run-started',
      'task-started',
      'task-succeeded',
      'task-started',
      'task-succeeded',
      'run-finished',
    ]);
    expect(summary).toMatchObject({ status: 'completed', run: 'r1' });
    expect(summary.tasks.map(({ id }) => id)).toEqual(['write', 'read']);
  });

  // covers: RUN-PARALLEL
  test('starts a task when its own inputs are there, whatever else still runs', async () => {
    const { promise: afterSeen, resolve } = deferred<ToolResult>();
    const { caller } = fakeTools({
      slow: () => afterSeen,
      after: async () => {
        resolve(text('released'));
        return text('after');
      },
    });

    const ran = await run(plan(['slow'], ['quick'], ['after', ['quick']]), caller);

    expect(ran.summary.status).toBe('completed');
  });

  test('passes progress on, but not after the task has ended', async () => {
    let late: CallOptions['onProgress'];
    const { caller } = fakeTools({
      work: async ({ onProgress }) => {
        onProgress?.({ progress: 1, total: 2 });
        late = onProgress;
        return text('done');
      },
      next: async () => {
        late?.({ progress: 2 });
        return text('done');
      },
    });

    const { events } = await run(plan(['work'], ['next', ['work']]), caller);

    expect(events.filter(({ type }) => type === 'task-progress')).toEqual([
      { type: 'task-progress', task: 'work', progress: { progress: 1, total: 2 } },
    ]);
  });
});

describe('a task that fails', () => {
  // covers: RUN-FAILS-ALONE
  test('skips only its dependants, with the reason, and lets siblings finish', async () => {
    const disk = new PmlError('SERVER_CRASHED', 'disk full');
    const { caller } = fakeTools({ a: disk });

    const ran = await run(
      plan(['a'], ['b'], ['c', ['a']], ['d', ['c', 'b']], ['e', ['b']]),
      caller,
    );

    expect(statuses(ran)).toEqual({
      a: 'failed',
      b: 'succeeded',
      c: 'skipped',
      d: 'skipped',
      e: 'succeeded',
    });
    expect(ran.summary.status).toBe('failed');
    expect(ran.summary.tasks[0]).toMatchObject({
      error: { code: 'SERVER_CRASHED', message: 'disk full' },
    });
    expect(ran.summary.tasks[2]).toMatchObject({ because: 'needs `a`, which failed' });
    expect(ran.summary.tasks[3]).toMatchObject({ because: 'needs `c`, which was skipped' });
  });

  test('keeps the answer of a tool that reports an error', async () => {
    const answer = { ...text('no such table'), isError: true };

    const ran = await run(plan(['query']), fakeTools({ query: answer }).caller);

    expect(ran.events).toContainEqual({
      type: 'task-failed',
      task: 'query',
      error: { code: 'TOOL_FAILED', message: 'no such table' },
      result: answer,
      ms: 0,
    });
  });

  test('because of a bad reference is never sent', async () => {
    const { caller, calls } = fakeTools({ read: text('{"content": "x"}') });

    const ran = await run(plan(['read'], ['use', ['read'], { $v: '${read.text}' }]), caller);

    expect(calls).toHaveLength(1);
    expect(ran.summary.tasks[1]).toMatchObject({
      error: { code: 'REFERENCE_INVALID', message: expect.stringContaining('`content`') },
    });
  });

  test.each<[string, Answer]>([
    ['listens', never],
    ['does not listen', () => new Promise<never>(() => {})],
  ])('by its time limit is named, if the tool %s', async (_, slow) => {
    const ran = await run(plan(['slow']), fakeTools({ slow }).caller, { taskTimeoutMs: 5 });

    expect(ran.summary.tasks[0]).toMatchObject({
      error: { code: 'TOOL_TIMED_OUT', message: 'fake:slow gave no answer within 5 ms' },
    });
  });

  test('with an answer that is no tool result fails alone', async () => {
    const broken = {} as ToolResult;

    const ran = await run(plan(['broken'], ['fine']), fakeTools({ broken }).caller);

    expect(statuses(ran)).toEqual({ broken: 'failed', fine: 'succeeded' });
  });
});

describe('cancelling', () => {
  test('ends running tasks, skips the rest and finishes as cancelled', async () => {
    const stop = new AbortController();
    const { caller, calls } = fakeTools({
      slow: (options) => {
        queueMicrotask(() => stop.abort(new Error('user left')));
        return never(options);
      },
    });

    const ran = await run(plan(['slow'], ['later', ['slow']]), caller, { signal: stop.signal });

    expect(ran.summary).toMatchObject({
      status: 'aborted',
      tasks: [
        { status: 'failed', error: { code: 'CALL_CANCELLED' } },
        { status: 'skipped', because: 'the run was cancelled' },
      ],
    });
    expect(calls).toHaveLength(1);
  });

  test('before the start calls nothing', async () => {
    const { caller, calls } = fakeTools();

    const ran = await run(plan(['a']), caller, { signal: AbortSignal.abort() });

    expect(ran.summary.status).toBe('aborted');
    expect(calls).toEqual([]);
  });

  test('happens when the consumer stops listening', async () => {
    let cancelled = false;
    const { caller } = fakeTools({
      slow: (options) => never(options).finally(() => (cancelled = true)),
    });
    const signal = new AbortController().signal;

    for await (const event of runPlan(plan(['slow']), caller, {
      run: runId('r1'),
      concurrency: 1,
      signal,
    })) {
      if (event.type === 'task-started') break;
    }

    await expect.poll(() => cancelled).toBe(true);
  });
});

test('never runs more tasks at once than allowed, and each after what it needs', async () => {
  const graphs = fc.array(fc.array(fc.nat(12), { maxLength: 3 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(graphs, fc.integer({ min: 1, max: 4 }), async (rows, concurrency) => {
      const needs = rows.map((row, i) => [
        ...new Set(row.filter((n) => n < i).map((n) => `t${n}`)),
      ]);
      const tasks = plan(...needs.map((need, i): [string, string[]] => [`t${i}`, need]));

      const { events, summary } = await run(tasks, fakeTools().caller, { concurrency });

      expect(summary.status).toBe('completed');
      expect(brokenRules(events, tasks, concurrency)).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

function brokenRules(events: readonly RunEvent[], { tasks }: Plan, concurrency: number): string[] {
  const done = new Set<TaskId>();
  const broken: string[] = [];
  let running = 0;
  for (const event of events) {
    if (event.type === 'task-started') {
      const needs = tasks.find(({ id }) => id === event.task)?.needs ?? [];
      if (++running > concurrency) broken.push(`${event.task} is one too many`);
      if (!needs.every((id) => done.has(id))) broken.push(`${event.task} is too early`);
    } else if (event.type === 'task-succeeded') {
      running--;
      done.add(event.task);
    }
  }
  return broken;
}

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
