import { describe, expect, test } from 'vitest';

import { aTrace, id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import {
  byName,
  type EvidenceParts,
  evidenceWith,
} from '../../../test/helpers/suggest-evidence.js';
import { MEMBER_SIGNALS, memberSignals } from './member-signals.js';

const flow = { bindings: [{ from: 0, to: 1 }] };
/** Twice a value of `find` went to `read`, which was once called alone. */
const PAST = [
  served('r1', 'find and read', ['a:find', 'a:read'], flow),
  served('r2', 'find and read', ['a:find', 'a:read'], flow),
  served('r3', 'read', ['a:read']),
];

function signalsOf(parts: EvidenceParts) {
  const all = memberSignals(evidenceWith(parts));
  return new Map(all.map(({ tool, signals }) => [String(tool), byName(MEMBER_SIGNALS, signals)]));
}

describe('what speaks for a tool', () => {
  const signals = signalsOf({
    traces: PAST,
    likely: { 'a:read': 0.8, 'a:find': 0.1 },
    similar: { r1: 0.75, r3: 0.25 },
    trust: 0.5,
  });
  const find = signals.get('a:find')!;
  const read = signals.get('a:read')!;

  test('member signals include how likely the intent wants a tool, alone and against the likeliest', () => {
    expect(find.likely).toBeCloseTo(Math.log(0.1 / 0.9), 12);
    expect(find.likelyShare).toBeCloseTo(0.125, 12);
    expect([read.first, find.first]).toEqual([1, 0]);
  });

  test('member signals include the share of similar runs with the tool, weighted by trust', () => {
    expect([read.similar, find.similar]).toEqual([1, 0.75]);
    expect([read.surelySimilar, find.surelySimilar]).toEqual([0.5, 0.375]);
    expect(find.nearest).toBe(0.375);
    // Three quarters had two tools, one quarter had one.
    expect(find.size).toBeCloseTo(Math.log1p(1.75), 12);
  });

  test('member signals include how often a tool is called with other likely tools', () => {
    // `read` was called in three runs, in two of them with `find`.
    expect(find.company).toBeCloseTo((0.8 * 2) / 4, 12);
    expect([find.apart, read.apart]).toEqual([0, 1 - 2 / 3]);
  });

  test('member signals include the tools that take values from a tool and give values to it', () => {
    expect(find.required).toBeCloseTo((0.8 * 2) / 4, 12);
    expect(read.required).toBe(0);
    expect(read.supplied).toBeCloseTo((0.1 * 2) / 4, 12);
    expect(find.supplied).toBe(0);
  });
});

test('tool that gives values to a likely tool is a candidate, whatever the intent says', () => {
  const signals = signalsOf({ traces: PAST, likely: { 'a:read': 0.8 } });

  expect([...signals.keys()]).toEqual(['a:read', 'a:find']);
});

test('tool that did the work of a failing likely tool gets an instead signal', () => {
  const traces = Array.from({ length: 5 }, (_, place) => {
    return { ...aTrace(['!a:bad', 'a:good']), id: `r${place}` };
  });
  const signals = signalsOf({ traces, likely: { 'a:bad': 0.9 } });

  expect(signals.get('a:good')!.instead).toBeGreaterThan(0.2);
  expect(signals.get('a:good')!.reliability).toBeGreaterThan(0);
  expect(signals.get('a:bad')!.instead).toBe(0);
  expect(signals.get('a:bad')!.reliability).toBeLessThan(-0.2);
});

test('failing tool counts as replaced as far as similar runs did without it', () => {
  const traces = [
    ...Array.from({ length: 3 }, (_, place) => ({ ...aTrace(['!a:bad']), id: `bad${place}` })),
    served('r1', 'do it', ['a:good']),
  ];
  const likely = { 'a:bad': 0.9, 'a:good': 0.8 };
  const after = signalsOf({ traces, likely, similar: { r1: 1 }, trust: 0.5 });
  const unlike = signalsOf({ traces, likely, similar: { r1: 1 }, trust: 0 });

  expect(after.get('a:bad')!.replaced).toBeCloseTo(-0.5 * after.get('a:bad')!.reliability, 12);
  expect(after.get('a:bad')!.replaced).toBeGreaterThan(0.1);
  expect(after.get('a:good')!.replaced).toBe(0);
  expect(unlike.get('a:bad')!.replaced).toBe(0);
});

test('tool without calls has the usual reliability', () => {
  expect(signalsOf({ likely: { 'a:new': 0.5 } }).get('a:new')!.reliability).toBeCloseTo(0, 12);
});

test('user rejections count against a tool, less the more often it was called', () => {
  const tools = [id('a:read'), id('a:drop')];
  const decisions = [{ by: 'user', kind: 'reject', atMs: 0, tools }] as const;
  const rejecting = served('r4', 'drop', [], { decisions });
  const signals = signalsOf({
    traces: [...PAST, rejecting],
    likely: { 'a:read': 0.5, 'a:drop': 0.5 },
  });

  expect(signals.get('a:drop')!.rejected).toBe(0.5);
  expect(signals.get('a:read')!.rejected).toBe(0.2);
});

test('tools that no longer exist are not candidates', () => {
  const signals = signalsOf({
    traces: PAST,
    likely: { 'a:read': 0.8 },
    similar: { r1: 1 },
    gone: ['a:find'],
  });

  expect([...signals.keys()]).toEqual(['a:read']);
});

test('tool that takes values from nearly all others adds only its most frequent givers', () => {
  const givers = Array.from({ length: 60 }, (_, place) => `a:giver${place}`);
  const traces = givers.flatMap((giver, place) =>
    Array.from({ length: place < 5 ? 3 : 1 }, (_, time) =>
      served(`r${place}-${time}`, 'give', [giver, 'a:hub'], flow),
    ),
  );

  const signals = signalsOf({ traces, likely: { 'a:hub': 0.9 } });

  expect(signals.size).toBe(21);
  expect([...signals.keys()]).toEqual(expect.arrayContaining(givers.slice(0, 5)));
});

test('tool with probability 0 has a likely share of 0, not NaN', () => {
  expect(signalsOf({ likely: { 'a:one': 0 } }).get('a:one')!.likelyShare).toBe(0);
});
