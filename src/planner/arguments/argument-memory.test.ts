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
  test('is proposed, the surer the more often, with the newest run', () => {
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

  test('is no habit when it was so once, or not nearly always, or everybody said it', () => {
    expect(ask(remember(trace('1', 'x', { lang: 'en' })), 'lang')).toBeUndefined();
    const mixed = ['en', 'en', 'en', 'de'].map((lang, i) => trace(`${i}`, 'x', { lang }));
    expect(ask(remember(...mixed), 'lang')).toBeUndefined();
    const said = ['1', '2', '3'].map((id) => trace(id, 'in en please', { lang: 'en' }));
    expect(ask(remember(...said), 'lang')).toBeUndefined();
    const again = trace('1', 'x', { lang: 'en' }, { lang: 'en' }, { lang: 'en' });
    expect(ask(remember(again), 'lang')).toBeUndefined();
  });

  test('is not guessed where it names one thing among many, or is a secret', () => {
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
  test('gives its value where nobody said it, as sure as it is similar', () => {
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

  test('is not sure of one value where the request lists several', () => {
    const memory = remember(trace('1', 'Mail the report to ann@x.io today', { who: 'ann@x.io' }));

    const proposal = ask(memory, 'who', 'Mail the report to bob@y.io and cid@z.io', { 1: 0.9 });

    expect(proposal?.score).toBeLessThan(0.5);
  });

  test('never gives what stood in its request, but what stands there now', () => {
    const memory = remember(trace('1', 'Mail the report to ann@x.io today', { who: 'ann@x.io' }));

    const proposal = ask(memory, 'who', 'Mail the report to bob@y.io today', { 1: 0.9 });

    expect(proposal).toMatchObject({ kind: 'aligned', literal: { value: 'bob@y.io' }, run: '1' });
    expect(proposal?.score).toBeGreaterThan(0.8);
    expect(ask(memory, 'who', 'Mail the report', { 1: 0.9 })).toBeUndefined();
  });

  test('tells literals of the same kind apart by the words beside them', () => {
    const past = trace('1', 'Copy from /a/x to /b/x', { target: '/b/x' });

    const proposal = ask(remember(past), 'target', 'Copy to /d/y from /c/y', { 1: 1 });

    expect(proposal).toMatchObject({ literal: { value: '/d/y' } });
  });

  test('does not mistake the id of one thing for that of another', () => {
    const past = trace('1', 'Cancel reservation 3RK2T9', { reservation_id: '3RK2T9' });

    expect(ask(remember(past), 'reservation_id', 'I am ann_lee_17', { 1: 1 })).toBeUndefined();
  });

  test('says nothing where it called the tool with several values, or failed', () => {
    const several = trace('1', 'x', { folder: 'a' }, { folder: 'b' });
    const failed = { ...trace('2', 'x', { folder: 'a' }), ok: false };

    expect(ask(remember(several, failed), 'folder', 'x', { 1: 1, 2: 1 })).toBeUndefined();
  });
});

describe('a text that names what the request of then named', () => {
  const memory = remember(
    trace('1', 'mail what is new in Lisbon', { subject: 'Report for Lisbon' }),
    trace('2', 'mail what is new in rome', { subject: 'Report for Rome' }),
  );

  test('is worth a hint for a request that names something else', () => {
    const proposal = ask(memory, 'subject', 'mail what is new in Vienna', { 1: 1 });

    expect(proposal).toMatchObject({ value: 'Report for Lisbon' });
    expect(proposal?.score).toBeLessThan(0.5);
    expect(proposal?.because).toContain('but it names `Lisbon`, which this request does not');
  });

  test('is found in small letters, too', () => {
    const proposal = ask(memory, 'subject', 'mail what is new in vienna', { 2: 1 });

    expect(proposal?.score).toBeLessThan(0.5);
  });

  test('is proposed for a request that names the same', () => {
    const proposal = ask(memory, 'subject', 'the news of Lisbon by mail', { 2: 1, 1: 0.9 });

    expect(proposal).toMatchObject({ value: 'Report for Lisbon', run: '1' });
    expect(proposal?.score).toBeGreaterThan(0.5);
  });

  test('is a habit only if requests that did not name it had it, too', () => {
    const ids = ['1', '2', '3'];
    const subject = 'Report for Lisbon';
    const named = remember(...ids.map((id) => trace(id, 'the Lisbon report', { subject })));
    const unnamed = remember(...ids.map((id) => trace(id, 'the usual report', { subject })));

    expect(ask(named, 'subject', 'the Vienna report')).toBeUndefined();
    expect(ask(named, 'subject', 'a report of Lisbon')).toMatchObject({ value: subject });
    expect(ask(unnamed, 'subject', 'the Vienna report')).toMatchObject({ value: subject });
  });
});

test('forgets the oldest runs, and takes each once', () => {
  const memory = new ArgumentMemory({ capacity: 2 });
  for (const id of ['1', '2', '2', '3']) memory.add(trace(id, 'x', { folder: id }));

  expect(memory.size).toBe(2);
  expect(ask(memory, 'folder', 'x', { 1: 1 })).toBeUndefined();
  expect(ask(memory, 'folder', 'x', { 3: 1 })).toMatchObject({ value: '3' });
});

describe('a value that PML filled in', () => {
  const filled = (id: string, confirmed?: 'approved' | 'seen'): ExecutionTrace => {
    const one = trace(id, 'x', { lang: 'en' });
    const origins = { lang: { source: 'past' as const, ...(confirmed && { confirmed }) } };
    return { ...one, calls: one.calls.map((call) => ({ ...call, origins })) };
  };
  const ids = (most: number) => Array.from({ length: most }, (_, at) => `${at}`);

  test('is no habit, however often, unless somebody confirmed it', () => {
    expect(ask(remember(...ids(50).map((id) => filled(id))), 'lang')).toBeUndefined();
    expect(ask(remember(...ids(3).map((id) => filled(id, 'seen'))), 'lang')).toBeUndefined();
    expect(ask(remember(...ids(3).map((id) => filled(id, 'approved'))), 'lang')).toMatchObject({
      value: 'en',
      because: 'it was so in 3 of 3 past calls',
    });
  });

  test('says nothing to a similar request either', () => {
    expect(ask(remember(filled('1')), 'lang', 'x', { 1: 1 })).toBeUndefined();
    const seen = ask(remember(filled('1', 'seen')), 'lang', 'x', { 1: 1 })?.score ?? 0;
    const given = ask(remember(trace('1', 'x', { lang: 'en' })), 'lang', 'x', { 1: 1 })?.score ?? 0;
    expect(seen).toBeGreaterThan(0);
    expect(seen).toBeLessThan(given);
  });

  test('was meant as often as somebody gave or approved it, in different runs', () => {
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
