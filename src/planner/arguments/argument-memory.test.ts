import { describe, expect, test } from 'vitest';

import { type ExecutionTrace, type JsonObject, parseToolId } from '../../core/index.js';
import { findLiterals } from '../literals/intent-literals.js';
import { ArgumentMemory } from './argument-memory.js';

const { id: tool } = parseToolId('crm:find');

function trace(id: string, intent: string, ...args: readonly JsonObject[]): ExecutionTrace {
  const calls = args.map((given) => ({ tool, ok: true, args: given }));
  const own = { id, intent, at: new Date(0), source: 'live' as const, ok: true, bindings: [] };
  return { ...own, calls, hasOrigins: true };
}

function remember(...traces: readonly ExecutionTrace[]): ArgumentMemory {
  const memory = new ArgumentMemory();
  for (const one of traces) memory.add(one);
  return memory;
}

const ask = (
  memory: ArgumentMemory,
  param: string,
  intent = '',
  similar: Record<string, number> = {},
) =>
  memory.propose(tool, param, {
    intent,
    literals: findLiterals(intent),
    similar: Object.entries(similar).map(([id, weight]) => ({ id, weight })),
  });

describe('a value that was nearly always the same', () => {
  test('a value that nearly all past calls had is proposed with a score and its newest run', () => {
    const memory = remember(
      trace('1', 'one', { lang: 'en' }),
      trace('2', 'two', { lang: 'en' }),
      trace('3', 'three', { lang: 'en' }),
    );

    expect(ask(memory, 'lang')).toEqual({
      kind: 'same',
      value: 'en',
      score: 0.75,
      because: 'it was so in 3 of 3 past calls',
      run: '3',
    });
  });

  test('a value is no habit if it occurred once, if it varied, or if requests named it', () => {
    expect(ask(remember(trace('1', 'x', { lang: 'en' })), 'lang')).toBeUndefined();
    const mixed = ['en', 'en', 'en', 'de'].map((lang, i) => trace(`${i}`, 'x', { lang }));
    expect(ask(remember(...mixed), 'lang')).toBeUndefined();
    const said = ['1', '2', '3'].map((id) => trace(id, 'in en please', { lang: 'en' }));
    expect(ask(remember(...said), 'lang')).toBeUndefined();
    const again = trace('1', 'x', { lang: 'en' }, { lang: 'en' }, { lang: 'en' });
    expect(ask(remember(again), 'lang')).toBeUndefined();
  });

  test('a habitual value is not guessed if it is a secret or an id of one thing among many', () => {
    const traces = ['1', '2', '3'].map((id) =>
      trace(id, 'x', { message_id: 'm-17', calendar_id: 'primary', api_key: 'abc', ids: [1] }),
    );
    const memory = remember(...traces);

    expect(ask(memory, 'message_id')).toBeUndefined();
    expect(ask(memory, 'api_key')).toBeUndefined();
    expect(ask(memory, 'ids')).toBeUndefined();
    expect(ask(memory, 'calendar_id')).toMatchObject({ value: 'primary' });
  });
});

describe('a similar run', () => {
  test('a similar run proposes a value its request did not name, scored by similarity', () => {
    const memory = remember(
      trace('1', 'tidy up', { folder: 'inbox' }),
      trace('2', 'x', { folder: 'sent' }),
    );

    expect(ask(memory, 'folder', 'tidy up', { 1: 0.9 })).toMatchObject({
      value: 'inbox',
      run: '1',
    });
    expect(ask(memory, 'folder', 'tidy up', { 1: 0.9 })?.score).toBeCloseTo(0.72);
    const unsure = ask(memory, 'folder', 'tidy up', { 1: 0.9, 2: 0.8 });
    expect(unsure?.score).toBeLessThan(0.5);
  });

  test('a similar run is unsure of one value if the request lists several', () => {
    const memory = remember(trace('1', 'Mail the report to ann@x.io today', { who: 'ann@x.io' }));

    const proposal = ask(memory, 'who', 'Mail the report to bob@y.io and cid@z.io', { 1: 0.9 });

    expect(proposal?.score).toBeLessThan(0.5);
  });

  test('a similar run proposes the literal of the new request, never the one of its own request', () => {
    const memory = remember(trace('1', 'Mail the report to ann@x.io today', { who: 'ann@x.io' }));

    const proposal = ask(memory, 'who', 'Mail the report to bob@y.io today', { 1: 0.9 });

    expect(proposal).toMatchObject({ kind: 'aligned', literal: { value: 'bob@y.io' }, run: '1' });
    expect(proposal?.score).toBeGreaterThan(0.8);
    expect(ask(memory, 'who', 'Mail the report', { 1: 0.9 })).toBeUndefined();
  });

  test('a similar run distinguishes literals of the same kind by the words beside them', () => {
    const past = trace('1', 'Copy from /a/x to /b/x', { target: '/b/x' });

    const proposal = ask(remember(past), 'target', 'Copy to /d/y from /c/y', { 1: 1 });

    expect(proposal).toMatchObject({ literal: { value: '/d/y' } });
  });

  test('a similar run does not confuse ids of different kinds of things', () => {
    const past = trace('1', 'Cancel reservation 3RK2T9', { reservation_id: '3RK2T9' });

    expect(ask(remember(past), 'reservation_id', 'I am ann_lee_17', { 1: 1 })).toBeUndefined();
  });

  test('a similar run proposes nothing if it failed or called the tool with several values', () => {
    const several = trace('1', 'x', { folder: 'a' }, { folder: 'b' });
    const failed = { ...trace('2', 'x', { folder: 'a' }), ok: false };

    expect(ask(remember(several, failed), 'folder', 'x', { 1: 1, 2: 1 })).toBeUndefined();
  });
});

describe('a text that names what the past request named', () => {
  const memory = remember(
    trace('1', 'mail what is new in Lisbon', { subject: 'Report for Lisbon' }),
    trace('2', 'mail what is new in rome', { subject: 'Report for Rome' }),
  );

  test('a text that names what only the past request named is at most a hint', () => {
    const proposal = ask(memory, 'subject', 'mail what is new in Vienna', { 1: 1 });

    expect(proposal).toMatchObject({ value: 'Report for Lisbon' });
    expect(proposal?.score).toBeLessThan(0.5);
    expect(proposal?.because).toContain('but it names `Lisbon`, which this request does not');
  });

  test('a past text is only a hint if it names what a lower-case request named', () => {
    const proposal = ask(memory, 'subject', 'mail what is new in vienna', { 2: 1 });

    expect(proposal?.score).toBeLessThan(0.5);
  });

  test('a past text is proposed for a request that names the same thing', () => {
    const proposal = ask(memory, 'subject', 'the news of Lisbon by mail', { 2: 1, 1: 0.9 });

    expect(proposal).toMatchObject({ value: 'Report for Lisbon', run: '1' });
    expect(proposal?.score).toBeGreaterThan(0.5);
  });

  test('a past text is a habit only if requests that did not name its parts had it too', () => {
    const ids = ['1', '2', '3'];
    const subject = 'Report for Lisbon';
    const named = remember(...ids.map((id) => trace(id, 'the Lisbon report', { subject })));
    const unnamed = remember(...ids.map((id) => trace(id, 'the usual report', { subject })));

    expect(ask(named, 'subject', 'the Vienna report')).toBeUndefined();
    expect(ask(named, 'subject', 'a report of Lisbon')).toMatchObject({ value: subject });
    expect(ask(unnamed, 'subject', 'the Vienna report')).toMatchObject({ value: subject });
  });
});

test('ArgumentMemory evicts the oldest runs and adds each run once', () => {
  const memory = new ArgumentMemory({ capacity: 2 });
  for (const id of ['1', '2', '2', '3']) memory.add(trace(id, 'x', { folder: id }));

  expect(memory.size).toBe(2);
  expect(ask(memory, 'folder', 'x', { 1: 1 })).toBeUndefined();
  expect(ask(memory, 'folder', 'x', { 3: 1 })).toMatchObject({ value: '3' });
});

test('ArgumentMemory counts in how many runs the request had the value of a parameter', () => {
  const memory = remember(
    trace('1', 'find Ann and Bob', { name: 'Ann' }, { name: 'Bob' }),
    trace('2', 'find the boss', { name: 'Cleo' }),
    trace('3', 'find Dora', { name: 'Dora', limit: 5 }),
  );

  expect(memory.said(tool, 'name')).toEqual({ runs: 3, said: 2 });
  expect(memory.said(tool, 'limit')).toEqual({ runs: 1, said: 0 });
  expect(memory.said(tool, 'none')).toEqual({ runs: 0, said: 0 });
});

describe('a value that PML filled in', () => {
  const filled = (id: string, confirmed?: 'approved' | 'seen'): ExecutionTrace => {
    const one = trace(id, 'x', { lang: 'en' });
    const origins = { lang: { source: 'past' as const, ...(confirmed && { confirmed }) } };
    return { ...one, calls: one.calls.map((call) => ({ ...call, origins })) };
  };
  const ids = (most: number) => Array.from({ length: most }, (_, at) => `${at}`);

  test('a value that PML filled in becomes a habit only if the user approved it', () => {
    expect(ask(remember(...ids(50).map((id) => filled(id))), 'lang')).toBeUndefined();
    expect(ask(remember(...ids(3).map((id) => filled(id, 'seen'))), 'lang')).toBeUndefined();
    expect(ask(remember(...ids(3).map((id) => filled(id, 'approved'))), 'lang')).toMatchObject({
      value: 'en',
      because: 'it was so in 3 of 3 past calls',
    });
  });

  test('a value that PML filled in proposes nothing to a similar request unless confirmed', () => {
    expect(ask(remember(filled('1')), 'lang', 'x', { 1: 1 })).toBeUndefined();
    const seen = ask(remember(filled('1', 'seen')), 'lang', 'x', { 1: 1 })?.score ?? 0;
    const given = ask(remember(trace('1', 'x', { lang: 'en' })), 'lang', 'x', { 1: 1 })?.score ?? 0;
    expect(seen).toBeGreaterThan(0);
    expect(seen).toBeLessThan(given);
  });

  test('ArgumentMemory.meant counts the runs in which the user gave or approved a value', () => {
    const memory = remember(
      filled('1'),
      filled('2', 'seen'),
      filled('3', 'approved'),
      trace('4', 'x', { lang: 'en' }, { lang: 'en' }),
      trace('5', 'x', { lang: 'de' }),
    );

    expect(memory.meant(tool, 'lang', 'en')).toEqual({ same: 2, other: 1 });
  });
});
