/** The traces of runs whose tasks run code: which call made which, and where values went. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { text } from '../../../test/helpers/fake-tools.js';
import { startOf } from '../../../test/helpers/run-parts.js';
import {
  isCapability,
  type JsonObject,
  type JsonValue,
  type RunEvent,
  type Task,
  taskId,
  type ToolId,
  type TracedOperation,
} from '../../core/index.js';
import { errorType } from '../../policy/index.js';
import { traceRun } from './trace-run.js';

interface Call {
  readonly tool: string;
  readonly args?: JsonObject;
  readonly gives?: JsonValue;
  /** Of a capability: its steps, one after the other. */
  readonly does?: readonly (Call | TracedOperation)[];
}

const operation = (name: string, afterCall: number): TracedOperation => ({
  operation: `code:${name}` as ToolId,
  line: 1,
  times: 1,
  inputs: 1,
  outputs: 1,
  ms: 1,
  afterCall,
});

/** The journal of a script that makes these calls, each a millisecond after the last event. */
function journal(calls: readonly Call[], stepMs = 1): RunEvent[] {
  const events: RunEvent[] = [];
  let at = 1_000;
  let count = 0;
  const make = ({ tool, args = {}, gives = null, does = [] }: Call, parent?: Task): void => {
    const id = taskId(`c${++count}`);
    const above = parent && { parent: parent.id };
    const task: Task = { id, tool: tool as ToolId, args, needs: [], ...above };
    events.push({ type: 'task-called', task, at: (at += stepMs) });
    events.push({ type: 'task-started', task: id, at: (at += stepMs), repeatable: true });
    const inside = does.filter((one): one is Call => 'tool' in one);
    for (const one of inside) make(one, task);
    const operations = does.filter((one): one is TracedOperation => 'operation' in one);
    const end = { status: 'returned', value: null } as const;
    if (isCapability(task.tool)) {
      events.push({ type: 'script-ended', task: id, at, end, logs: [], operations });
    }
    const result = { content: [], structuredContent: gives };
    events.push({ type: 'task-completed', task: id, at: (at += stepMs), ms: 1, result });
  };
  for (const call of calls) make(call);
  const script = { code: '', args: {}, seed: 1 };
  return [
    startOf([], { at: 1_000, script }),
    ...events,
    {
      type: 'script-ended',
      at,
      end: { status: 'returned', value: null },
      logs: [],
      operations: [],
    },
    { type: 'run-finished', at, outcome: 'completed' },
  ];
}

/** `from → to param` of every value that went somewhere. */
function flows(calls: readonly Call[]): readonly string[] {
  const trace = traceRun(journal(calls), errorType);
  const nameOf = (place: number) => trace.calls[place]?.tool.split(':')[1] ?? '?';
  return trace.bindings.map(({ from, to, param }) => `${nameOf(from)} → ${nameOf(to)} ${param}`);
}

describe('a value', () => {
  const find: Call = { tool: 'db:find', gives: { id: 'user-17' } };
  const use: Call = { tool: 'db:use', args: { user: 'user-17' } };

  test('a value flows from a tool in a capability into its result, and from there to a later argument', () => {
    const told = { tool: 'cap:lookup', does: [find], gives: { who: 'user-17' } };

    expect(flows([told, use])).toEqual(['lookup → use user', 'find → use user']);
  });

  test('a value that a capability does not return does not flow out of it', () => {
    const kept = { tool: 'cap:lookup', does: [find], gives: { count: 1 } };

    expect(flows([kept, use])).toEqual([]);
  });

  test('a value flows through the arguments of a capability to the calls it makes', () => {
    const given = { tool: 'cap:note', args: { who: 'user-17' }, does: [use] };
    const notGiven = { tool: 'cap:note', args: { all: true }, does: [use] };

    expect(flows([find, given])).toEqual(['find → note who', 'find → use user']);
    expect(flows([find, notGiven])).toEqual([]);
  });

  test('a value flows from inside one capability into another, and between calls of the same one', () => {
    const lookup = { tool: 'cap:lookup', does: [find], gives: 'user-17' };
    const note = { tool: 'cap:note', args: { who: 'user-17' }, does: [use] };
    const both = { tool: 'cap:both', does: [find, use] };

    expect(flows([lookup, note])).toEqual([
      'lookup → note who',
      'find → note who',
      'lookup → use user',
      'find → use user',
    ]);
    expect(flows([both])).toEqual(['find → use user']);
  });

  test('a value does not flow from a capability into its own calls, however fast they were', () => {
    const events = journal(
      [{ tool: 'cap:note', args: { who: 'user-17' }, does: [use], gives: 'user-17' }],
      0,
    );

    expect(traceRun(events, errorType).bindings).toEqual([]);
  });
});

test('a capability that was restarted stands before the calls of its first attempt', () => {
  const [start, ...rest] = journal([
    { tool: 'cap:outer', does: [{ tool: 'db:find' }, operation('map', 1), { tool: 'db:use' }] },
  ]) as [RunEvent, ...RunEvent[]];
  const cut = rest.findIndex(({ type }) => type === 'task-completed') + 1;
  const again: RunEvent[] = [
    { type: 'task-retried', task: taskId('c1'), at: 1_006, because: 'the process ended' },
    { type: 'task-started', task: taskId('c1'), at: 1_007, repeatable: true },
  ];

  const { calls } = traceRun(
    [start, ...rest.slice(0, cut), ...again, ...rest.slice(cut)],
    errorType,
  );

  expect(calls.map(({ tool, parent }) => [tool, parent])).toEqual([
    ['cap:outer', undefined],
    ['db:find', 0],
    ['code:map', 0],
    ['db:use', 0],
  ]);
});

test('calls in a capability that did not end belong to its caller', () => {
  const events = journal([
    { tool: 'cap:outer', does: [{ tool: 'cap:inner', does: [{ tool: 'db:find' }] }] },
  ]).filter((event) => !(event.type === 'task-completed' && event.task === 'c2'));

  const { calls } = traceRun(events, errorType);

  expect(calls.map(({ tool, parent }) => [tool, parent])).toEqual([
    ['cap:outer', undefined],
    ['db:find', 0],
  ]);
});

test('a journal without records of nested calls gives the same trace as before', () => {
  const events = journal([
    { tool: 'cap:outer', does: [{ tool: 'db:find', gives: text('x') as never }] },
  ]).filter((event) => !(event.type === 'script-ended' && event.task !== undefined));

  expect(traceRun(events, errorType).calls).toMatchObject([
    { tool: 'cap:outer' },
    { tool: 'db:find', parent: 0 },
  ]);
});

const { call: anyCall } = fc.letrec<{ call: Call }>((tie) => ({
  call: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.record({
      tool: fc.constantFrom('a:one', 'a:two', 'b:three'),
      args: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('value-1', 'value-2')),
      gives: fc.constantFrom('value-1', 'value-2', 'none'),
    }),
    fc.record({
      tool: fc.constantFrom('cap:p', 'cap:q', 'cap:r'),
      args: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('value-1', 'value-2')),
      gives: fc.constantFrom('value-1', 'value-2', 'none'),
      does: fc
        .tuple(fc.array(tie('call'), { maxLength: 3 }), fc.array(fc.nat(3), { maxLength: 2 }))
        .map(([calls, operations]) => [
          ...calls,
          ...operations.toSorted((a, b) => a - b).map((after) => operation('map', after)),
        ]),
    }),
  ),
}));

test('in every path a parent is a capability before its children, and values go forward', () => {
  fc.assert(
    fc.property(fc.array(anyCall, { maxLength: 4 }), fc.constantFrom(0, 1), (made, stepMs) => {
      const { calls, bindings } = traceRun(journal(made, stepMs), errorType);
      const line = (place: number): number[] => {
        const parent = calls[place]?.parent;
        return parent === undefined ? [place] : [place, ...line(parent)];
      };

      expect(calls).toHaveLength(countOf(made));
      calls.forEach(({ parent }, place) => {
        if (parent === undefined) return;
        expect(parent).toBeLessThan(place);
        expect(calls[parent]?.tool).toMatch(/^cap:/);
        // A capability's calls are contiguous: no other call stands between them.
        for (let at = parent + 1; at < place; at++) expect(line(at)).toContain(parent);
      });
      for (const { from, to } of bindings) {
        expect(calls[from]?.tool).not.toMatch(/^code:/);
        expect(line(to)).not.toContain(from);
        expect(line(from)).not.toContain(to);
        expect(from < to || stepMs === 0).toBe(true);
      }
    }),
  );
});

/** Operations recorded after more calls than were made stand at the end. */
function countOf(made: readonly (Call | TracedOperation)[]): number {
  return made.reduce((sum, one) => sum + 1 + ('does' in one ? countOf(one.does ?? []) : 0), 0);
}
