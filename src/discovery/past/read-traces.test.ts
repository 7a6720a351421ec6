import { describe, expect, test } from 'vitest';

import { id } from '../../../test/helpers/past-intent.js';
import type { JsonObject } from '../../core/index.js';
import { readTraces } from './read-traces.js';

const KNOWN = ['mail:send', 'fs:read', 'web:get'];
const now = new Date(0);
const resolve = (text: string) => (KNOWN.includes(text) ? id(text) : undefined);
const read = (...rows: unknown[]) => readTraces(rows, { resolve, now });

describe('three forms', () => {
  test('readTraces reads an execution in the format of PML', () => {
    const row = {
      intent: 'mail anna',
      at: '2026-11-02T08:00:00Z',
      group: 'g',
      calls: [
        { tool: 'mail:send', ms: 3 },
        { tool: 'fs:read', ok: false },
      ],
      before: [{ tool: 'web:get' }, { tool: 'no:such' }, { tool: 'fs:read', ok: false }],
    };

    expect(read(row).traces).toMatchObject([
      {
        before: [
          { tool: 'web:get', ok: true },
          { tool: 'fs:read', ok: false },
        ],
        intent: 'mail anna',
        at: new Date('2026-11-02T08:00:00Z'),
        group: 'g',
        ok: true,
        source: 'import',
        calls: [
          { tool: 'mail:send', ok: true, ms: 3 },
          { tool: 'fs:read', ok: false },
        ],
      },
    ]);
  });

  test('readTraces reads a request with its tools, their order and the data flow between them', () => {
    const gold = [['fs:read', 'web:get'], ['mail:send']];
    const edges = [
      { s: 'fs:read', t: 'mail:send', field: 'text', param: 'body' },
      { s: 'x', t: 'y' },
    ];
    const { traces } = read(
      { query: 'mail the file', gold, edges },
      { query: 'q', gold, order: ['mail:send'] },
    );

    expect(traces[0]).toMatchObject({
      calls: [{ tool: 'fs:read' }, { tool: 'mail:send' }],
      bindings: [{ from: 0, to: 1, field: 'text', param: 'body' }],
    });
    expect(traces[1]?.calls.map(({ tool }) => tool)).toEqual(['mail:send']);
  });

  test('readTraces splits a recorded run into the whole and each search with its calls', () => {
    const events = [
      { type: 'route', query: 'find the file' },
      { type: 'exec', tool: 'fs:read' },
      { type: 'thought', text: 'hm' },
      { type: 'route', query: 'tell anna' },
      { type: 'exec', tool: 'mail:send', error: 'refused' },
      { type: 'exec', tool: 'mail:send', error: null },
      { type: 'route', query: 'nothing came of it' },
    ];

    const { traces } = read({ query: 'mail the file', success: true, events });

    expect(traces.map(({ intent, calls }) => [intent, calls.length])).toEqual([
      ['mail the file', 3],
      ['find the file', 1],
      ['tell anna', 2],
    ]);
    expect(traces.map(({ before }) => before)).toEqual([
      undefined,
      undefined,
      [{ tool: 'fs:read', ok: true }],
    ]);
    expect(new Set(traces.map(({ group }) => group)).size).toBe(1);
    expect(new Set(traces.map((trace) => trace.id)).size).toBe(3);
  });
});

test('a question without an answer is not an experience', () => {
  const { traces, problems } = read({ id: 1, query: 'mail anna' }, { query: 'x', events: [] });

  expect([traces, problems]).toEqual([[], []]);
});

test('unreadable rows are reported by index, and the other rows are used', () => {
  const good = { intent: 'mail anna', calls: [{ tool: 'mail:send' }] };
  const rows = [null, 'text', 7, [], {}, { intent: 'x' }, { query: 5 }, { query: 'x', events: 1 }];

  const { traces, problems } = read(good, ...rows, { ...good, intent: 'mail bob' });

  expect(traces).toHaveLength(2);
  expect(problems.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(problems[5]?.problem).toMatch(/^calls: /);
  expect(problems.every(({ problem }) => problem.length > 5)).toBe(true);
});

test('a row nested too deep is a problem of that row', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 20_000; level++) deep = [deep];
  const good = { intent: 'mail anna', calls: [{ tool: 'mail:send' }] };

  const { traces, problems } = read({ ...good, extra: deep }, good);

  expect(traces).toHaveLength(1);
  expect(problems.map(({ row }) => row)).toEqual([0]);
});

test('a timestamp that is null or missing becomes now', () => {
  const calls = [{ tool: 'mail:send' }];
  const later = new Date(5_000);
  const { traces } = readTraces(
    [
      { intent: 'a', calls, at: null },
      { intent: 'b', calls },
    ],
    {
      resolve,
      now: later,
    },
  );

  expect(traces.map(({ at }) => at)).toEqual([later, later]);
});

test('the same row gives the same execution id, whatever the order of its keys', () => {
  const one = { intent: 'mail anna', calls: [{ tool: 'mail:send', ok: true }] };
  const same = { calls: [{ ok: true, tool: 'mail:send' }], intent: 'mail anna' };
  const other = { ...one, intent: 'mail bob' };

  const ids = read(one, same, other).traces.map((trace) => trace.id);

  expect(ids[0]).toBe(ids[1]);
  expect(ids[2]).not.toBe(ids[0]);
});

test('unknown tools are reported and their calls left out', () => {
  const { traces, unknownTools } = read(
    { intent: 'a', calls: [{ tool: 'old:gone' }, { tool: 'fs:read' }] },
    { query: 'b', gold: [['older:gone']] },
  );

  expect(traces.map(({ calls }) => calls.map(({ tool }) => tool))).toEqual([['fs:read']]);
  expect([...unknownTools]).toEqual(['old:gone', 'older:gone']);
});

describe('arguments', () => {
  const rows = [
    { intent: 'a', calls: [{ tool: 'fs:read', args: { path: '/a', key: 'x' } }] },
    {
      query: 'b',
      events: [
        { type: 'exec', tool: 'fs:read', params: '{"path":"/b"}' },
        { type: 'exec', tool: 'fs:read', params: { path: '/c' } },
        { type: 'exec', tool: 'fs:read', params: '{"path":"/cut o…' },
        { type: 'exec', tool: 'fs:read', params: { key: 'x' } },
      ],
    },
  ];

  test('arguments are read only as far as keepArgs allows', () => {
    const keepArgs = (args: JsonObject) =>
      Object.fromEntries(Object.entries(args).filter(([name]) => name !== 'key'));
    const { traces, problems } = readTraces(rows, { resolve, now, keepArgs });

    const args = traces.map(({ calls }) => calls.map((call) => call.args));
    expect(args).toEqual([
      [{ path: '/a' }],
      [{ path: '/b' }, { path: '/c' }, undefined, undefined],
    ]);
    expect(problems).toEqual([]);
  });

  test('arguments are not read without keepArgs', () => {
    expect(JSON.stringify(read(...rows).traces)).not.toContain('args');
  });

  test('arguments that are not an object are a problem of the row', () => {
    const { problems } = read({ intent: 'a', calls: [{ tool: 'fs:read', args: [1] }] });

    expect(problems).toEqual([{ row: 0, problem: 'calls.0.args: expected an object' }]);
  });
});
