import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type ExecutionTrace, serverName, toolId } from '../../core/index.js';
import { BindingMemory, type LearnedFlow, shareInWords } from './binding-memory.js';

const id = (name: string) => toolId(serverName('s'), name);

function remember(...traces: (readonly [string, ExecutionTrace['bindings']])[]): BindingMemory {
  const memory = new BindingMemory();
  for (const [names, bindings] of traces) {
    const calls = names.split(' ').map((name) => ({ tool: id(name), ok: !name.endsWith('!') }));
    const own = { id: 'x', intent: '', at: new Date(0), source: 'live' as const, ok: true };
    const told = { ...own, hasOrigins: true as const };
    memory.add({ ...told, calls, bindings });
  }
  return memory;
}

test('BindingMemory counts the executions with both tools, their order and their flows', () => {
  const memory = remember(
    ['find send', [{ from: 0, to: 1, field: 'id', param: 'to' }]],
    [
      'find find send',
      [
        { from: 0, to: 2, field: 'id', param: 'to' },
        { from: 1, to: 2, field: 'name', param: 'text' },
      ],
    ],
    ['send find', []],
  );

  expect(memory.pair(id('find'), id('send'))).toEqual({
    together: 3,
    ordered: 3,
    inOrder: 2,
    recorded: 2,
    flowed: 2,
    flowedRuns: 2,
    flows: [
      { field: 'id', param: 'to', times: 2, meant: 2 },
      { field: 'name', param: 'text', times: 1, meant: 1 },
    ],
  });
});

test('BindingMemory knows nothing of tools never used together, nor of a failed call', () => {
  const memory = remember(['find send!', []], ['read', []]);

  expect(memory.pair(id('find'), id('send!')).together).toBe(0);
  expect(memory.pair(id('find'), id('read')).together).toBe(0);
});

test('a flow into an unknown parameter says nothing about the ones that are known', () => {
  const memory = remember(
    ['find send', [{ from: 0, to: 1 }]],
    ['find send', [{ from: 0, to: 1, param: 'to' }]],
    ['find send', []],
  );

  expect(memory.took(id('send'))).toEqual({ times: 2, chances: 2 });
  expect(memory.tookInto(id('send'), 'to')).toEqual({ times: 1, chances: 1 });
  expect(memory.gave(id('find'))).toEqual({ times: 2, chances: 2 });
});

/** The expected flows, counted from all executions. */
function flowsIn(traces: readonly ExecutionTrace[], from: string, to: string) {
  const times = new Map<string, LearnedFlow>();
  for (const { calls, bindings } of traces) {
    const flows = bindings
      .filter((flow) => calls[flow.from]!.tool === id(from) && calls[flow.to]!.tool === id(to))
      .map(({ field, param }) => JSON.stringify({ field, param }));
    for (const flow of new Set(flows)) {
      const { times: before = 0 } = times.get(flow) ?? {};
      const now = before + 1;
      times.set(flow, { ...(JSON.parse(flow) as object), times: now, meant: now });
    }
  }
  return [...times.values()];
}

test('BindingMemory counts the same flows however often it is queried between executions', () => {
  const places = fc.integer({ min: 0, max: 2 });
  const name = fc.option(fc.constantFrom('id', 'name', 'url'), { nil: undefined });
  const binding = fc.record({ from: places, to: places, field: name, param: name });
  // Several fields in one parameter are parts of it, which this test does not cover.
  const bindings = fc.uniqueArray(binding, {
    maxLength: 4,
    selector: ({ from, to, param }) => `${from} ${to} ${param}`,
  });
  fc.assert(
    fc.property(fc.array(bindings, { minLength: 1, maxLength: 8 }), (all) => {
      const calls = ['find', 'read', 'send'].map((tool) => ({ tool: id(tool), ok: true }));
      const own = { intent: '', at: new Date(0), source: 'live' as const, ok: true, calls };
      const told = { ...own, hasOrigins: true as const };
      const traces = all.map((some, place): ExecutionTrace => ({
        ...told,
        id: `t${place}`,
        bindings: some.map(({ from, to, field, param }) => ({
          from,
          to,
          ...(field !== undefined && { field }),
          ...(param !== undefined && { param }),
        })),
      }));
      const memory = new BindingMemory();
      traces.forEach((trace, place) => {
        memory.add(trace);
        const { flows, together } = memory.pair(id('find'), id('send'));
        const expected = flowsIn(traces.slice(0, place + 1), 'find', 'send');

        expect(together).toBe(place + 1);
        expect(new Set(flows)).toEqual(new Set(expected));
        expect(flows.map(({ times }) => times)).toEqual(
          expected.map(({ times }) => times).toSorted((a, b) => b - a),
        );
      });
    }),
  );
});

describe('a guess of PML', () => {
  const guessed = (confirmed?: 'approved' | 'seen') => {
    const origin = { source: 'inferred' as const, ...(confirmed && { confirmed }) };
    return { from: 0, to: 1, field: 'id', param: 'to', origin };
  };
  const given = { from: 0, to: 1, field: 'id', param: 'to' };

  test('a guess of PML counts fully if the user approved it, and half if the agent only saw it', () => {
    const memory = remember(['find send', [guessed('approved')]], ['find send', [guessed('seen')]]);

    expect(memory.pair(id('find'), id('send'))).toMatchObject({
      recorded: 1.5,
      flowed: 1.5,
      flowedRuns: 2,
      flows: [{ field: 'id', param: 'to', times: 1.5, meant: 1 }],
    });
    expect(shareInWords(1.5, 1.5)).toBe('1.5 of 1.5 executions (unconfirmed values count half)');
    expect(shareInWords(2, 3)).toBe('2 of 3 executions');
  });

  test('an unconfirmed guess of PML changes no count, however often it ran', () => {
    const times = fc.integer({ min: 1, max: 100 });
    const binding = fc.record({
      from: fc.constantFrom(0, 1),
      to: fc.constantFrom(1, 2),
      param: fc.constantFrom('to', 'text'),
      isGuess: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(binding, { maxLength: 3 }), { maxLength: 4 }),
        times,
        (all, n) => {
          const written = all.map(
            (some) =>
              [
                'find read send',
                some
                  .filter(({ from, to }) => from < to)
                  .map(({ from, to, param, isGuess }) => {
                    const origin = { source: 'inferred' as const };
                    return { from, to, param, ...(isGuess && { origin }) };
                  }),
              ] as const,
          );
          const runs = Array.from({ length: n }, () => {
            return ['find send', [guessed()]] as const;
          });

          expect(told(remember(...written, ...runs))).toEqual(told(remember(...written)));
        },
      ),
    );
  });

  test('a guess of an older version looks like a given value, so all its flows count half', () => {
    const memory = new BindingMemory();
    const calls = ['find', 'send'].map((name) => ({ tool: id(name), ok: true }));
    const own = { id: 'x', intent: '', at: new Date(0), ok: true, calls, bindings: [given] };
    memory.add({ ...own, source: 'live' });
    memory.add({ ...own, source: 'import' });

    expect(memory.pair(id('find'), id('send'))).toMatchObject({ recorded: 1.5, flowed: 1.5 });
  });
});

/** Everything that scores depend on; how often tools were called together is no guess. */
function told(memory: BindingMemory) {
  const tools = ['find', 'read', 'send'].map(id);
  return {
    usual: memory.usualRate,
    tools: tools.map((tool) => [memory.gave(tool), memory.took(tool)]),
    params: tools.flatMap((tool) => ['to', 'text'].map((param) => memory.tookInto(tool, param))),
    pairs: tools.flatMap((from) =>
      tools.map((to) => {
        const { together: _together, ...rest } = memory.pair(from, to);
        return rest;
      }),
    ),
  };
}
