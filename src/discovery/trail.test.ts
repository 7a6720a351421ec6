import { describe, expect, test } from 'vitest';

import { id } from '../../test/helpers/past-intent.js';
import { attribute, extendTrail, type Shown, type Trail } from './trail.js';

const MINUTE = 60_000;
const at = (minutes: number) => new Date(minutes * MINUTE);

function shown(question: string, minutes: number, ...tools: string[]): Shown {
  return {
    id: `d-${question}`,
    algorithm: 'discover',
    model: 'm',
    intent: question,
    at: at(minutes),
    tools: tools.map(id),
  };
}

const calls = (...tools: string[]) =>
  tools.map((tool) => ({ tool: id(tool.replace('!', '')), ok: !tool.startsWith('!') }));

const told = (trail: Trail, minutes: number, ...tools: string[]) =>
  attribute(trail, { calls: calls(...tools), bindings: [], at: at(minutes) });

const trail = [
  shown('mail', 0, 'mail:send', 'mail:read'),
  shown('file', 1, 'fs:read', 'mail:read'),
];

describe('without an explicit intent', () => {
  test('a call belongs to the newest question that showed its tool', () => {
    const { traces, outcomes } = told(trail, 2, 'mail:read');

    expect(traces).toMatchObject([{ intent: 'file', group: 'd-file', ok: true, source: 'live' }]);
    expect(outcomes).toEqual([
      { decision: 'd-file', model: 'm', outcome: { tool: 'mail:read', place: 2, ok: true } },
    ]);
  });

  test('calls of several questions are told apart', () => {
    const { traces, outcomes } = told(trail, 2, 'mail:send', 'fs:read', 'web:get');

    expect(traces.map(({ intent, calls: own }) => [intent, own[0]?.tool])).toEqual([
      ['mail', 'mail:send'],
      ['file', 'fs:read'],
      ['', 'web:get'],
    ]);
    expect(traces[2]).not.toHaveProperty('group');
    expect(outcomes.map(({ decision }) => decision)).toEqual(['d-mail', 'd-file']);
  });

  test('a question too long ago explains nothing', () => {
    expect(told(trail, 15, 'mail:send').traces[0]?.intent).toBe('mail');
    expect(told(trail, 15.1, 'mail:send')).toMatchObject({
      traces: [{ intent: '' }],
      outcomes: [],
    });
  });

  test('a failed call is remembered as one, and a later success speaks for the question', () => {
    expect(told(trail, 2, '!fs:read')).toMatchObject({
      traces: [{ intent: 'file', ok: false, calls: [{ ok: false }] }],
      outcomes: [{ outcome: { tool: 'fs:read', place: 1, ok: false } }],
    });
    expect(told(trail, 2, '!fs:read', 'mail:read').outcomes).toMatchObject([
      { outcome: { tool: 'mail:read', place: 2, ok: true } },
    ]);
    expect(told(trail, 2, 'fs:read', 'mail:read').outcomes).toMatchObject([
      { outcome: { tool: 'fs:read', place: 1, ok: true } },
    ]);
  });

  test('bindings are kept only with all the calls they point to', () => {
    const bindings = [{ from: 0, to: 1 }];
    const together = { calls: calls('fs:read', 'mail:read'), bindings, at: at(2) };
    const apart = { calls: calls('fs:read', 'mail:send'), bindings, at: at(2) };

    expect(attribute(trail, together).traces.map((one) => one.bindings)).toEqual([bindings]);
    expect(attribute(trail, apart).traces.map((one) => one.bindings)).toEqual([[], []]);
  });
});

test('an explicit intent goes before questions, which are judged all the same', () => {
  const execution = {
    calls: calls('fs:read', '!web:get'),
    bindings: [],
    intent: 'mine',
    at: at(2),
  };

  const { traces, outcomes } = attribute(trail, execution);

  expect(traces).toMatchObject([
    { intent: 'mine', ok: false, calls: [{ ok: true }, { ok: false }] },
  ]);
  expect(outcomes.map(({ decision }) => decision)).toEqual(['d-file']);
});

test('a trail keeps the newest questions only', () => {
  let long: Trail = [];
  for (let asked = 0; asked < 60; asked++) long = extendTrail(long, shown(`q${asked}`, 0, 'a:b'));

  expect(long).toHaveLength(50);
  expect(long.at(-1)?.intent).toBe('q59');
});
