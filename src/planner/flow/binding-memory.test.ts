import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type ExecutionTrace, serverName, toolId } from '../../core/index.js';
import { BindingMemory, type LearnedFlow } from './binding-memory.js';

const id = (name: string) => toolId(serverName('s'), name);

function remember(...traces: (readonly [string, ExecutionTrace['bindings']])[]): BindingMemory {
  const memory = new BindingMemory();
  for (const [names, bindings] of traces) {
    const calls = names.split(' ').map((name) => ({ tool: id(name), ok: !name.endsWith('!') }));
    const own = { id: 'x', intent: '', at: new Date(0), source: 'live' as const, ok: true };
    memory.add({ ...own, calls, bindings });
  }
  return memory;
}

test('counts executions with both, their order, and what flowed from where to where', () => {
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
    inOrder: 2,
    recorded: 2,
    flowed: 2,
    flows: [
      { field: 'id', param: 'to', times: 2 },
      { field: 'name', param: 'text', times: 1 },
    ],
  });
});

test('knows nothing of tools that were never together, nor of a call that failed', () => {
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

/** As it says: counted from all executions anew. */
function flowsIn(traces: readonly ExecutionTrace[], from: string, to: string) {
  const times = new Map<string, LearnedFlow>();
  for (const { calls, bindings } of traces) {
    const flows = bindings
      .filter((flow) => calls[flow.from]!.tool === id(from) && calls[flow.to]!.tool === id(to))
      .map(({ field, param }) => JSON.stringify({ field, param }));
    for (const flow of new Set(flows)) {
      const { times: before = 0 } = times.get(flow) ?? {};
      times.set(flow, { ...(JSON.parse(flow) as object), times: before + 1 });
    }
  }
  return [...times.values()];
}

test('tells the same however often it is asked while executions are added', () => {
  const places = fc.integer({ min: 0, max: 2 });
  const name = fc.option(fc.constantFrom('id', 'name', 'url'), { nil: undefined });
  const binding = fc.record({ from: places, to: places, field: name, param: name });
  // Several fields in one parameter are parts of it, which is another matter.
  const bindings = fc.uniqueArray(binding, {
    maxLength: 4,
    selector: ({ from, to, param }) => `${from} ${to} ${param}`,
  });
  fc.assert(
    fc.property(fc.array(bindings, { minLength: 1, maxLength: 8 }), (all) => {
      const calls = ['find', 'read', 'send'].map((tool) => ({ tool: id(tool), ok: true }));
      const own = { intent: '', at: new Date(0), source: 'live' as const, ok: true, calls };
      const traces = all.map((some, place): ExecutionTrace => ({
        ...own,
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
