import { describe, expect, test } from 'vitest';

import { idleRun, newRun } from '../../../test/helpers/begin-run.js';
import { inTurn, text } from '../../../test/helpers/fake-tools.js';
import { startOf, task } from '../../../test/helpers/run-parts.js';
import {
  type JsonValue,
  PmlError,
  type RunEvent,
  type Task,
  taskId,
  type ToolResult,
} from '../../core/index.js';
import { errorType } from '../../policy/index.js';
import { foldEvents } from '../run-state.js';
import { traceLongRun, traceRun } from './trace-run.js';

const json = (value: JsonValue): ToolResult => ({ content: [], structuredContent: value });

/** A run of calls one after the other, each 10 ms after the last one began and 5 ms long. */
function journal(...calls: readonly (readonly [task: Task, result: ToolResult])[]): RunEvent[] {
  const events = calls.flatMap(([{ id }, result], index): RunEvent[] => [
    { type: 'task-started', task: id, at: 1_000 + index * 10, repeatable: true },
    { type: 'task-completed', task: id, at: 1_005 + index * 10, ms: 5, result },
  ]);
  return [
    startOf(
      calls.map(([one]) => one),
      { at: 1_000 },
    ),
    ...events,
  ];
}

describe('the trace of a run', () => {
  // covers: CLOCK-SET
  test.each([1e11, -1e11])('run trace durations survive a clock jump of %d ms', async (jump) => {
    let now = 1e12;
    const { live } = newRun([task('a'), task('b', ['a'])], { now: () => (now += jump) });
    live.start();
    await live.idle();

    const { ms, calls } = traceRun(live.events, errorType);

    for (const one of [ms, ...calls.map((call) => call.ms ?? -1)]) {
      expect(one).toBeGreaterThanOrEqual(0);
      expect(one).toBeLessThan(1e9);
    }
  });

  test('the trace of a run has every call in call order, with times and kinds of failure', async () => {
    let now = 0;
    const { live } = newRun([task('later', ['read']), task('read'), task('bad')], {
      concurrency: 1,
      now: () => (now += 10),
      monotonic: () => now,
      answers: {
        read: inTurn(new PmlError('TOOL_TIMED_OUT', 'too slow'), text('ok')),
        bad: new PmlError('TOOL_DENIED', 'no'),
      },
    });
    live.start();
    await live.idle();

    const trace = traceRun(live.events, errorType);

    expect(trace.run).toBe('r1');
    expect(trace.ok).toBe(false);
    expect(trace.calls.map(({ tool, ok, errorType: type }) => [tool, ok, type])).toEqual([
      ['fake:read', false, 'timeout'],
      ['fake:bad', false, 'permission'],
      ['fake:read', true, undefined],
      ['fake:later', true, undefined],
    ]);
    const starts = trace.calls.map(({ startMs }) => startMs ?? -1);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(trace.ms).toBeGreaterThan(starts.at(-1) ?? 0);
  });

  // covers: TRACE-ERRORS
  test('the trace of a run has the error text of a failed call, short and without secrets', async () => {
    const message = `the key sesame\n was refused ${'x'.repeat(500)}`;
    const { live } = newRun([task('bad')], {
      answers: { bad: new PmlError('TOOL_FAILED', message) },
    });
    live.start();
    await live.idle();

    const told = traceRun(live.events, errorType, (words) => words.replaceAll('sesame', '***'));
    const untold = traceRun(live.events, errorType);

    expect(told.calls[0]?.errorMessage).toMatch(/^the key \*\*\* was refused x+$/);
    expect(told.calls[0]?.errorMessage).toHaveLength(200);
    expect(untold.calls[0]).not.toHaveProperty('errorMessage');
  });

  test('the trace of a run has each decision: its author, its time and its tools', async () => {
    let now = 0;
    const { live } = await idleRun([task('riskyA', [], { tool: 'risky_send' })], {
      now: () => (now += 10),
    });
    await live.decide({ kind: 'inject', tasks: [task('b')] }, 'agent');
    await live.decide({ kind: 'approve', tasks: [taskId('riskyA')] }, 'human');
    await live.idle();

    const { decisions, ok } = traceRun(live.events, errorType);

    expect(ok).toBe(true);
    expect(decisions).toEqual([
      { by: 'agent', kind: 'inject', atMs: expect.any(Number), tools: ['fake:b'] },
      { by: 'human', kind: 'approve', atMs: expect.any(Number), tools: ['fake:risky_send'] },
    ]);
  });

  test('the trace of a run has no call that was cut off, and no time before the start', () => {
    const events: RunEvent[] = [
      startOf([task('a'), task('b')], { at: 500, intent: 'tidy up' }),
      { type: 'task-started', task: taskId('a'), at: 510, repeatable: false },
      { type: 'task-doubted', task: taskId('a'), at: 900, because: 'the process ended' },
      { type: 'task-started', task: taskId('b'), at: 400, repeatable: true },
      { type: 'task-completed', task: taskId('b'), at: 401, ms: 1, result: text('') },
      { type: 'run-finished', at: 450, outcome: 'aborted' },
    ];

    expect(traceRun(events, errorType)).toEqual({
      run: 'r1',
      intent: 'tidy up',
      ok: false,
      ms: 0,
      calls: [{ tool: 'fake:b', ok: true, ms: 1, startMs: 0 }],
      bindings: [],
      decisions: [],
    });
  });
});

describe('values that went from one call into another', () => {
  const find = [task('find'), json({ items: [{ id: 'user-17', age: 7 }], total: 4_200 })] as const;

  test('a value flow is recorded once for each reference', () => {
    const use = task('use', ['find'], {
      args: { user: '${find.items[0].id}', all: { $ref: 'find' } },
    });

    const { bindings } = traceRun(journal(find, [use, text('ok')]), errorType);

    expect(bindings).toEqual([
      { from: 0, to: 1, field: 'items[0].id', param: 'user' },
      { from: 0, to: 1, param: 'all' },
    ]);
  });

  test('a value flow is recorded for a result value that appears in the arguments of a later call', () => {
    const use = task('use', [], { args: { query: { user: 'user-17' }, page: 4_200 } });

    const { bindings } = traceRun(journal(find, [use, text('ok')]), errorType);

    expect(bindings).toEqual([
      // Without a mask nothing that was written is kept.
      { from: 0, to: 1, field: 'items[0].id', param: 'query', part: {} },
      { from: 0, to: 1, field: 'total', param: 'page' },
    ]);
  });

  test('a value flow into a part of a text is recorded with the text around it', () => {
    const args = {
      text: 'User ${find.items[0].id} of ${find.total}',
      list: [{ $ref: 'find.total' }, 'kept'],
      secret: 'sesame of ${find.total}',
      copy: { user: 'user-17' },
    };
    const use = task('use', ['find'], { args });
    const mask = (words: string) => words.replaceAll('sesame', '***');

    const { bindings, calls } = traceRun(journal(find, [use, text('ok')]), errorType, mask);

    const id = 'items[0].id';
    expect(bindings).toEqual([
      { from: 0, to: 1, field: id, param: 'text', part: { template: 'User ${} of ${}' } },
      { from: 0, to: 1, field: 'total', param: 'text', part: {} },
      { from: 0, to: 1, field: 'total', param: 'list', part: { template: ['${}', 'kept'] } },
      { from: 0, to: 1, field: 'total', param: 'secret', part: {} },
      { from: 0, to: 1, field: id, param: 'copy', part: { template: { user: '${}' } } },
    ]);
    expect(calls[1]?.args).toBeUndefined();
  });

  test('a value flow keeps nothing of a text that has values from outside the run', () => {
    const use = task('use', ['find'], { args: { who: '${context.me} wants ${find.total}' } });

    const { bindings } = traceRun(journal(find, [use, text('ok')]), errorType, (words) => words);

    expect(bindings).toEqual([{ from: 0, to: 1, field: 'total', param: 'who', part: {} }]);
  });

  test('a value flow is not recorded for a value that is too common or was known before', () => {
    const common = task('common', [], { args: { age: 7, yes: true, none: null, short: 'abc' } });
    const source = [task('source'), json({ age: 7, yes: true, none: null, short: 'abc' })] as const;
    const before = task('before', [], { args: { user: 'user-17' } });

    const { bindings } = traceRun(
      journal([before, text('ok')], find, source, [common, text('ok')]),
      errorType,
    );

    expect(bindings).toEqual([]);
  });

  test('a value flow is not recorded from a call that was still running', () => {
    const use = task('use', [], { args: { user: 'user-17' } });
    const [start, found, answer, began, done] = journal(find, [use, text('ok')]) as [
      RunEvent,
      RunEvent,
      RunEvent,
      RunEvent,
      RunEvent,
    ];
    const late = { ...answer, at: 2_000 } as RunEvent;

    const { bindings } = traceRun([start, found, began, done, late], errorType);

    expect(bindings).toEqual([]);
  });

  test('a value flow comes from the attempt that succeeded', async () => {
    const tasks = [task('read'), task('use', ['read'], { args: { v: '${read.id}' } })];
    const { live } = await idleRun(tasks, {
      answers: { read: inTurn(new PmlError('SERVER_CRASHED', 'gone'), json({ id: 'x' })) },
    });

    expect(traceRun(live.events, errorType).bindings).toEqual([
      { from: 1, to: 2, field: 'id', param: 'v' },
    ]);
  });

  test('a value flow is searched in the beginning of a result that is wide or deep', () => {
    let deep: JsonValue = 'user-17';
    for (let level = 0; level < 50_000; level++) deep = [deep];
    const wide = [...Array.from({ length: 100_000 }, () => false), 'user-17'];
    const use = task('use', [], { args: { user: 'user-17' } });

    const { bindings } = traceRun(
      journal([task('wide'), json(wide)], [task('deep'), json(deep)], [use, text('ok')]),
      errorType,
    );

    expect(bindings).toEqual([]);
  });
});

describe('arguments', () => {
  const find = [task('find', [], { args: { query: 'ann' } }), json({ id: 'user-17' })] as const;
  const use = task('use', ['find'], {
    args: { user: '${find.id}', copied: 'user-17', path: '/tmp/a', note: 'say hunter22' },
  });
  const events = journal(find, [use, text('ok')]);

  test('arguments are remembered as written, without flowed values and without secrets', () => {
    const { calls } = traceRun(events, errorType, (value) => value.replace('hunter22', '***'));

    expect(calls.map(({ args }) => args)).toEqual([{ query: 'ann' }, { path: '/tmp/a' }]);
  });

  test('arguments are left out if no redactor is given', () => {
    const { calls } = traceRun(events, errorType);

    expect(calls.some((call) => 'args' in call)).toBe(false);
  });
});

describe('what PML filled in', () => {
  const because = 'names fit';
  const inferred = { source: 'inferred', score: 0.8, because } as const;
  const literal = { source: 'literal', score: 0.7, because } as const;
  const read = task('find');
  const use: Task = {
    ...task('riskyUse', ['find'], { args: { user: { $ref: 'find.id' }, city: 'Vienna', n: 'x' } }),
    guessed: { user: inferred, city: literal },
  };
  const mask = (words: string) => words;
  const answers = { find: json({ id: 'user-17' }) };

  test('a value that PML filled in is marked apart from given ones, in bindings and arguments', () => {
    const events = journal([read, json({ id: 'user-17' })], [use, text('ok')]);

    const { bindings, calls } = traceRun(events, errorType, mask);

    expect(bindings).toEqual([
      { from: 0, to: 1, field: 'id', param: 'user', origin: { source: 'inferred' } },
    ]);
    expect(calls[1]).toMatchObject({
      args: { city: 'Vienna', n: 'x' },
      origins: { city: { source: 'literal' } },
    });
    expect(Object.keys(calls[1]?.origins ?? {})).toEqual(['city']);
  });

  test('a value that PML filled in is confirmed if the user approved the call with its arguments', async () => {
    const { live } = await idleRun([read, use], { answers });
    await live.decide({ kind: 'approve', tasks: [use.id] }, 'agent');
    await live.idle();

    const { bindings, calls } = traceRun(live.events, errorType, mask);

    const confirmed = 'approved';
    expect(bindings).toMatchObject([{ origin: { source: 'inferred', confirmed } }]);
    expect(calls[1]?.origins).toEqual({ city: { source: 'literal', confirmed } });
  });

  test('a value that PML filled in stays marked in the calls a capability makes with it', () => {
    const cap: Task = {
      ...task('c'),
      tool: 'cap:note' as Task['tool'],
      args: { city: 'Lisbon' },
      guessed: { city: { source: 'lifted default', score: 0.5, because } },
    };
    const inner: Task = {
      ...task('i', [], { args: { place: 'Lisbon', unit: 'c' } }),
      parent: cap.id,
    };
    const at = 1_000;
    const events: RunEvent[] = [
      startOf([cap], { at }),
      { type: 'task-started', task: cap.id, at, repeatable: true },
      { type: 'task-called', task: inner, at },
      { type: 'task-started', task: inner.id, at, repeatable: true },
      { type: 'task-completed', task: inner.id, at: at + 1, ms: 1, result: text('sun') },
      { type: 'task-completed', task: cap.id, at: at + 2, ms: 2, result: text('sun') },
      { type: 'run-finished', at: at + 3, outcome: 'completed' },
    ];

    const { calls } = traceRun(events, errorType, mask);

    expect(calls.map(({ origins }) => origins)).toEqual([
      { city: { source: 'lifted default' } },
      { place: { source: 'lifted default' } },
    ]);
  });

  test('a value that PML filled in stays marked in a capability for which PML filled in more', () => {
    const outer: Task = {
      ...task('o'),
      tool: 'cap:note' as Task['tool'],
      args: { city: 'Vienna' },
      guessed: { city: { source: 'literal', score: 0.8, because } },
    };
    const inner: Task = {
      ...task('i', [], { args: { place: 'Vienna', unit: 'c', days: 3 } }),
      guessed: { days: { source: 'lifted default', score: 0.5, because } },
      parent: outer.id,
    };
    const at = 1_000;
    const events: RunEvent[] = [
      startOf([outer], { at }),
      { type: 'task-started', task: outer.id, at, repeatable: true },
      { type: 'task-called', task: inner, at },
      { type: 'task-started', task: inner.id, at, repeatable: true },
      { type: 'task-completed', task: inner.id, at: at + 1, ms: 1, result: text('sun') },
      { type: 'task-completed', task: outer.id, at: at + 2, ms: 2, result: text('sun') },
      { type: 'run-finished', at: at + 3, outcome: 'completed' },
    ];

    const { calls } = traceRun(events, errorType, mask);

    expect(calls[1]?.origins).toEqual({
      place: { source: 'literal' },
      days: { source: 'lifted default' },
    });
  });
});

describe('the trace of a script', () => {
  const called = (id: string, tool: string, args = {}): RunEvent => ({
    type: 'task-called',
    task: { ...task(id), tool: tool as Task['tool'], args },
    at: 1_000,
  });
  const operation = (name: string, afterCall: number) => ({
    operation: `code:${name}` as Task['tool'],
    line: 1,
    times: 1,
    inputs: 9,
    outputs: 3,
    ms: 2,
    afterCall,
  });

  test('the trace of a script has data operations among its calls, and values keep their flow', () => {
    const [query, send] = journal([task('c1'), json({ id: 'row-77' })], [task('c2'), text('sent')])
      .slice(1)
      .reduce<[RunEvent[], RunEvent[]]>(
        ([first, second], event, place) =>
          place < 2 ? [[...first, event], second] : [first, [...second, event]],
        [[], []],
      );
    const events: RunEvent[] = [
      {
        ...startOf([], { at: 1_000 }),
        script: { code: '', args: {}, seed: 1 },
      },
      called('c1', 'db:query'),
      ...query,
      called('c2', 'mail:send', { text: 'row-77' }),
      ...send,
      {
        type: 'script-ended',
        at: 1_030,
        end: { status: 'returned', value: null },
        logs: [],
        operations: [operation('filter', 1), operation('map', 1)],
      },
      { type: 'run-finished', at: 1_031, outcome: 'completed' },
    ];

    const trace = traceRun(events, errorType);

    expect(trace.calls.map(({ tool }) => tool)).toEqual([
      'db:query',
      'code:filter',
      'code:map',
      'mail:send',
    ]);
    expect(trace.bindings).toEqual([{ from: 0, to: 3, field: 'id', param: 'text' }]);
  });
});

test('long run traced in parts pauses at least once a call, and gives the same trace', async () => {
  const calls = Array.from({ length: 300 }, (_, at) => {
    const args = { id: at === 0 ? 'first-value' : `value-${at - 1}` };
    return [{ ...task(`t${at}`), args }, json({ got: `value-${at}` })] as const;
  });
  const events = journal(...calls);
  const mask = (text: string) => text;
  let pauses = 0;

  const trace = await traceLongRun(
    { events, state: foldEvents(events) },
    { errorType, mask, pause: async () => void pauses++ },
  );

  expect(trace).toEqual(traceRun(events, errorType, mask));
  expect(trace.bindings.length).toBeGreaterThan(100);
  expect(pauses).toBeGreaterThan(calls.length);
});
