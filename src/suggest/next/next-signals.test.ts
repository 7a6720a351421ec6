import { describe, expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import {
  byName,
  type EvidenceParts,
  evidenceWith,
} from '../../../test/helpers/suggest-evidence.js';
import { NEXT_SIGNALS, nextSignals } from './next-signals.js';

const flow = { bindings: [{ from: 0, to: 1 }] };

function signalsOf(done: readonly string[], parts: EvidenceParts, ofServer: string[] = []) {
  const all = nextSignals(done.map(id), evidenceWith(parts), {
    serverTools: () => ofServer.map(id),
  });
  return new Map(all.map(({ tool, signals }) => [String(tool), byName(NEXT_SIGNALS, signals)]));
}

test('nextSignals has no candidates before the first step', () => {
  expect(signalsOf([], { likely: { 'a:one': 0.9 } }).size).toBe(0);
});

test('next candidates come from the intent, past followers, done steps, similar runs and the server', () => {
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

  test('next signals include how likely the intent wants a tool', () => {
    expect(read.likely).toBeCloseTo(Math.log(0.603) + 6, 12);
    expect(read.likelyAlone).toBe(0);
  });

  test('next signals include how often a tool came right after the last step', () => {
    // Of eight steps three are `read`, and of three followers two.
    const all = 3 / (8 + 4);
    const past = (2 + 2 * all) / (3 + 2);
    expect(read.follows).toBeCloseTo(Math.log(0.6 * past + 0.002) + 6, 12);
    expect(read.follows).toBeGreaterThan(send.follows);
  });

  test('next signals include what similar runs did', () => {
    expect([read.similarNext, read.similarRest]).toEqual([0.7, 0.7]);
    expect([send.similarNext, send.similarRest]).toEqual([0.3, 0.3]);
  });

  test('next signals include whether a tool is of the same server', () => {
    expect([read.sameServer, send.sameServer]).toEqual([1, 0]);
    expect([read.anyServer, send.anyServer]).toEqual([1, 0]);
  });

  test('next signals include where the intent mentions a tool', () => {
    expect([read.mentionedAfter, send.mentionedAfter]).toEqual([1, 1]);
    expect(read.mentionedNear).toBeCloseTo(-1 / 3, 12);
    expect(send.mentionedNear).toBeCloseTo(-2 / 3, 12);
    expect(signals.get('b:other')).toMatchObject({ mentionedAfter: 0, mentionedNear: -0.5 });
  });
});

test('next signals include what followed the last step earlier in this run, and what is done', () => {
  const signals = signalsOf(['a:get', 'a:put', 'b:log', 'a:get'], {});

  expect(signals.get('a:put')).toMatchObject({ done: 1, anyServer: 1 });
  expect(signals.get('b:log')).toMatchObject({ done: 1, sameServer: 0, anyServer: 1 });
  expect(signals.get('a:put')!.follows).toBeGreaterThan(signals.get('b:log')!.follows);
  expect(signals.has('a:get')).toBe(false);
});

test('rest of a similar run begins after all steps that are done', () => {
  const traces = [served('r1', 'x', ['a:one', 'a:two', 'a:three', 'a:four'])];
  const signals = signalsOf(['a:two', 'a:one'], { traces, similar: { r1: 1 } });

  expect(signals.get('a:two')).toMatchObject({ similarNext: 1, similarRest: 0 });
  expect(signals.get('a:three')).toMatchObject({ similarNext: 0, similarRest: 1 });
  expect(signals.get('a:four')).toMatchObject({ similarRest: 0 });
});

test('similar runs with the same last two steps count more than runs with the same last step', () => {
  const traces = [served('r1', 'x', ['a:open', 'a:read', 'a:close', 'b:find', 'a:read', 'b:send'])];
  const signals = signalsOf(['a:open', 'a:read'], { traces, similar: { r1: 1 } });

  expect(signals.get('a:close')!.similarNext).toBeCloseTo(0.75, 12);
  expect(signals.get('b:send')!.similarNext).toBeCloseTo(0.25, 12);
});

test('intent counts alone if nothing is known about what follows', () => {
  expect(signalsOf(['a:new'], { likely: { 'a:one': 0.4 } }).get('a:one')!.likelyAlone).toBe(0.4);
});

test('step with very many followers adds only its most frequent ones as candidates', () => {
  const traces = Array.from({ length: 150 }, (_, place) =>
    served(`r${place}`, 'x', ['a:hub', `a:t${place}`, 'a:hub', 'a:usual']),
  );

  const signals = signalsOf(['a:hub'], { traces });

  expect(signals.size).toBe(100);
  expect(signals.has('a:usual')).toBe(true);
});
