import { expect, test } from 'vitest';

import { type ExecutionTrace, serverName, toolId } from '../core/index.js';
import { BindingMemory } from './binding-memory.js';

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
