import { describe, expect, test } from 'vitest';

import { id } from '../../../test/helpers/past-intent.js';
import {
  attribute,
  calledBefore,
  extendTrail,
  NO_TRAIL,
  type Shown,
  type Trail,
  withCalls,
} from './trail.js';

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

const trail: Trail = {
  ...NO_TRAIL,
  shown: [shown('mail', 0, 'mail:send', 'mail:read'), shown('file', 1, 'fs:read', 'mail:read')],
};

describe('without an explicit intent', () => {
  test('a call without an intent belongs to the newest question that showed its tool', () => {
    const { traces, outcomes } = told(trail, 2, 'mail:read');

    expect(traces).toMatchObject([{ intent: 'file', group: 'd-file', ok: true, source: 'live' }]);
    expect(outcomes).toEqual([
      { decision: 'd-file', model: 'm', outcome: { tool: 'mail:read', place: 2, ok: true } },
    ]);
  });

  test('calls without an intent are split among the questions that showed their tools', () => {
    const { traces, outcomes } = told(trail, 2, 'mail:send', 'fs:read', 'web:get');

    expect(traces.map(({ intent, calls: own }) => [intent, own[0]?.tool])).toEqual([
      ['mail', 'mail:send'],
      ['file', 'fs:read'],
      ['', 'web:get'],
    ]);
    expect(traces[2]).not.toHaveProperty('group');
    expect(outcomes.map(({ decision }) => decision)).toEqual(['d-mail', 'd-file']);
  });

  test('an expired question explains no call', () => {
    expect(told(trail, 15, 'mail:send').traces[0]?.intent).toBe('mail');
    expect(told(trail, 15.1, 'mail:send')).toMatchObject({
      traces: [{ intent: '' }],
      outcomes: [],
    });
  });

  test('a failed call is recorded as failed, and a later success counts for the question', () => {
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

  test('bindings are kept only if one trace has all their calls', () => {
    const bindings = [{ from: 0, to: 1 }];
    const together = { calls: calls('fs:read', 'mail:read'), bindings, at: at(2) };
    const apart = { calls: calls('fs:read', 'mail:send'), bindings, at: at(2) };

    expect(attribute(trail, together).traces.map((one) => one.bindings)).toEqual([bindings]);
    expect(attribute(trail, apart).traces.map((one) => one.bindings)).toEqual([[], []]);
  });
});

test('an explicit intent wins over questions, which still get their outcomes', () => {
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

test('a trail keeps only the newest questions', () => {
  let long = NO_TRAIL;
  for (let asked = 0; asked < 60; asked++) long = extendTrail(long, shown(`q${asked}`, 0, 'a:b'));

  expect(long.shown).toHaveLength(50);
  expect(long.shown.at(-1)?.intent).toBe('q59');
});

describe('what a client called', () => {
  const worked = (...tools: string[]) => calls(...tools);

  test('earlier calls of a client are listed newest last and expire', () => {
    const used = withCalls(
      withCalls(NO_TRAIL, worked('fs:list'), at(0)),
      worked('!fs:read'),
      at(5),
    );

    expect(calledBefore(used, at(6).getTime())).toEqual(worked('fs:list', '!fs:read'));
    expect(calledBefore(used, at(16).getTime())).toEqual(worked('!fs:read'));
    expect(calledBefore(used, at(1).getTime())).toEqual(worked('fs:list'));
  });

  test('a trace records the calls that its client made before the execution began', () => {
    const used = withCalls(withCalls(trail, worked('fs:list'), at(2)), worked('fs:stat'), at(4));
    const execution = { calls: worked('fs:read'), bindings: [], at: at(5) };

    expect(attribute(used, execution).traces).toMatchObject([
      { before: worked('fs:list', 'fs:stat') },
    ]);
    expect(attribute(used, { ...execution, ms: 2 * MINUTE }).traces).toMatchObject([
      { before: worked('fs:list') },
    ]);
    expect(attribute(trail, execution).traces[0]).not.toHaveProperty('before');
  });

  test('a trail keeps only the newest calls', () => {
    let long = NO_TRAIL;
    for (let call = 0; call < 20; call++) long = withCalls(long, worked(`a:t${call}`), at(0));

    expect(calledBefore(long, 0).map(({ tool }) => tool)).toHaveLength(12);
    expect(calledBefore(long, 0).at(-1)?.tool).toBe('a:t19');
  });
});
