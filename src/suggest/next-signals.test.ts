import { describe, expect, test } from 'vitest';

import { id } from '../../test/helpers/graph-samples.js';
import { served } from '../../test/helpers/ready-discovery.js';
import { byName, type EvidenceParts, evidenceWith } from '../../test/helpers/suggest-evidence.js';
import { NEXT_SIGNALS, nextSignals } from './next-signals.js';

const flow = { bindings: [{ from: 0, to: 1 }] };

function signalsOf(done: readonly string[], parts: EvidenceParts, ofServer: string[] = []) {
  const all = nextSignals(done.map(id), evidenceWith(parts), () => ofServer.map(id));
  return new Map(all.map(({ tool, signals }) => [String(tool), byName(NEXT_SIGNALS, signals)]));
}

test('before anything is done nothing is next', () => {
  expect(signalsOf([], { likely: { 'a:one': 0.9 } }).size).toBe(0);
});

test('what is wanted, what followed, what is done, what like runs had and what the server has may be next', () => {
  const parts = {
    traces: [served('r1', 'x', ['a:last', 'a:followed']), served('r2', 'y', ['a:alike'])],
    likely: { 'a:wanted': 0.5, 'a:last': 0.9 },
    similar: { r2: 1 },
    gone: ['a:gone'],
  };

  const signals = signalsOf(['a:done', 'a:last'], parts, ['a:gone', 'a:sibling', 'a:last']);

  expect([...signals.keys()].toSorted()).toEqual([
    'a:alike',
    'a:done',
    'a:followed',
    'a:sibling',
    'a:wanted',
  ]);
});

describe('what speaks for a tool being next', () => {
  const traces = [
    served('r1', 'x', ['a:find', 'a:read'], flow),
    served('r2', 'x', ['a:find', 'a:read'], flow),
    served('r3', 'x', ['a:find', 'b:send']),
    served('r4', 'x', ['b:sum', 'a:read'], flow),
  ];
  const signals = signalsOf(['a:find'], {
    intent: 'find read send',
    traces,
    likely: { 'a:find': 0.9, 'a:read': 0.6, 'b:send': 0.3, 'b:other': 0.1 },
    similar: { r1: 0.7, r3: 0.3 },
  });
  const read = signals.get('a:read')!;
  const send = signals.get('b:send')!;

  test('is how likely the intent wants it, beside the likeliest that is not done', () => {
    expect(read.likely).toBeCloseTo(Math.log(0.603) + 6, 12);
    expect([read.likelyShare, send.likelyShare]).toEqual([1, 0.5]);
    expect(read.likelyAlone).toBe(0);
  });

  test('is how often it came right after the last one', () => {
    expect([read.after, send.after]).toEqual([2 / 5, 1 / 5]);
    // Two, and what is usual: three of five, twice.
    const usual = 2 * (3 / 5);
    expect(read.afterLog).toBeCloseTo(Math.log(2 + usual + 0.02) - Math.log(5) + 4, 12);
    expect(read.afterLog).toBeGreaterThan(send.afterLog);
  });

  test('is what like runs did', () => {
    expect([read.similarNext, read.similarHas, read.similarRest]).toEqual([0.7, 0.7, 0.7]);
    expect([send.similarNext, send.similarHas, send.similarRest]).toEqual([0.3, 0.3, 0.3]);
  });

  test('is whose tool it is', () => {
    expect([read.sameServer, send.sameServer]).toEqual([1, 0]);
    expect([read.anyServer, send.anyServer]).toEqual([1, 0]);
  });

  test('is whether what it takes values of is done', () => {
    // Two of its three values came from `find`.
    expect(read.fed).toBeCloseTo(2 / 4, 12);
    expect(read.ready).toBeCloseTo(2 / 3, 12);
    expect([send.fed, send.ready]).toEqual([0, 0]);
    expect(read.later).toBeCloseTo(2 / 5, 12);
    expect(read.uses).toBeCloseTo(Math.log(4), 12);
  });

  test('is where the intent speaks of it', () => {
    expect([read.mentionedAfter, send.mentionedAfter]).toEqual([1, 1]);
    expect(read.mentionedNear).toBeCloseTo(-1 / 3, 12);
    expect(send.mentionedNear).toBeCloseTo(-2 / 3, 12);
    expect(signals.get('b:other')).toMatchObject({ mentionedAfter: 0, mentionedNear: -0.5 });
  });

  test('is its place in the graph', () => {
    // In two of three runs with `find` it came next.
    expect(read.step).toBeGreaterThanOrEqual((0.6 * 2) / 3);
    expect(signals.get('b:other')!.step).toBe(0);
  });
});

test('what came after the last one earlier in this run is told, and what is done', () => {
  const signals = signalsOf(['a:get', 'a:put', 'b:log', 'a:get'], {});

  expect(signals.get('a:put')).toMatchObject({ own: 1, done: 1, anyServer: 1 });
  expect(signals.get('b:log')).toMatchObject({ own: 0, done: 1, sameServer: 0, anyServer: 1 });
  expect(signals.has('a:get')).toBe(false);
});

test('the rest of a like run begins after all that is done', () => {
  const traces = [served('r1', 'x', ['a:one', 'a:two', 'a:three', 'a:four'])];
  const signals = signalsOf(['a:two', 'a:one'], { traces, similar: { r1: 1 } });

  expect(signals.get('a:two')).toMatchObject({ similarNext: 1, similarRest: 0 });
  expect(signals.get('a:three')).toMatchObject({ similarNext: 0, similarRest: 1 });
  expect(signals.get('a:four')).toMatchObject({ similarRest: 0, similarHas: 1 });
});

test('names tell of kinds of work, and of what it is done to', () => {
  const traces = [served('r1', 'x', ['c:search_mail', 'c:get_mail'])];
  const signals = signalsOf(['a:search_user'], {
    traces,
    likely: { 'a:get_user': 0.5, 'a:search': 0.5 },
  });

  expect(signals.get('a:get_user')!.verbs).toBeGreaterThan(signals.get('a:search')!.verbs);
  expect(signals.get('a:get_user')).toMatchObject({ sameNouns: 1, sameVerb: 0 });
  expect(signals.get('a:search')).toMatchObject({ sameNouns: 0, sameVerb: 1 });
});

test('where nothing is known of what follows, the intent counts alone', () => {
  expect(signalsOf(['a:new'], { likely: { 'a:one': 0.4 } }).get('a:one')!.likelyAlone).toBe(0.4);
});

test('what is followed by everything brings in what followed most', () => {
  const traces = Array.from({ length: 150 }, (_, place) =>
    served(`r${place}`, 'x', ['a:hub', `a:t${place}`, 'a:hub', 'a:usual']),
  );

  const signals = signalsOf(['a:hub'], { traces });

  expect(signals.size).toBe(100);
  expect(signals.has('a:usual')).toBe(true);
});
