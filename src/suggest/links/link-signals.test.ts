import { describe, expect, test } from 'vitest';

import { id } from '../../../test/helpers/graph-samples.js';
import { served } from '../../../test/helpers/ready-discovery.js';
import {
  byName,
  type EvidenceParts,
  evidenceWith,
  noPlannables,
} from '../../../test/helpers/suggest-evidence.js';
import type { JsonObject, ToolId } from '../../core/index.js';
import type { PlannableTool } from '../../planner/index.js';
import { LINK_SIGNALS, linkSignals } from './link-signals.js';

const flow = { bindings: [{ from: 0, to: 1 }] };
const PAST = ['r1', 'r2', 'r3'].map((run) => served(run, 'x', ['a:find', 'a:read'], flow));

function linksOf(members: readonly string[], parts: EvidenceParts, plannable = noPlannables) {
  const { links, order } = linkSignals(members.map(id), evidenceWith(parts), { plannable });
  const all = new Map(
    links.map(({ from, to, signals }) => [`${from} ${to}`, byName(LINK_SIGNALS, signals)]),
  );
  return { order, of: (from: string, to: string) => all.get(`${from} ${to}`)!, size: all.size };
}

describe('of two tools whose values always went one way', () => {
  const { of, order } = linksOf(['a:read', 'a:find'], { traces: PAST, similar: { r1: 0.6 } });
  const there = of('a:find', 'a:read');
  const back = of('a:read', 'a:find');

  test('link signals favour the direction in which values flowed in past runs', () => {
    // A pair passes values in (0.5 × 0.5 + 3) of (1 + 3 + 3) runs on the whole.
    const usual = 3.25 / 7;
    const odds = (rate: number) => Math.log(rate / (1 - rate));
    expect(there.flowed).toBeCloseTo(odds((3 + 2 * usual) / 5), 12);
    expect(back.flowed).toBeCloseTo(odds((2 * usual) / 5), 12);
    expect(there.together).toBeCloseTo(Math.log(4), 12);
  });

  test('link signals put the first tool before the second, and the reverse link the other way', () => {
    expect(there.before).toBeGreaterThan(0.2);
    expect(there.before + back.before).toBeCloseTo(0, 12);
    expect(there.surelyBefore).toBeCloseTo(0.6 * there.before, 12);
    expect(order).toEqual(['a:find', 'a:read']);
  });

  test('link signals count similar runs for a link and against its reverse', () => {
    expect([there.similarDid, there.similarDidNot]).toEqual([0.6, 0]);
    expect([back.similarDid, back.similarDidNot]).toEqual([0, 0.6]);
  });

  test('link signals show that one tool gives values and the other takes them', () => {
    // Three of three chances, where half is usual.
    expect(there.gives).toBeCloseTo(Math.log(4), 12);
    expect(there.takes).toBeCloseTo(Math.log(4), 12);
    expect(back.gives).toBeCloseTo(-Math.log(4), 12);
    expect(back.takes).toBeCloseTo(-Math.log(4), 12);
  });

  test('link signals mark two tools as the only two, adjacent and of one server', () => {
    const { next, after, onlyTwo, few, sameServer } = there;
    expect({ next, after, onlyTwo, few, sameServer }).toEqual({
      next: 1,
      after: 1,
      onlyTwo: 1,
      few: 0.5,
      sameServer: 1,
    });
    expect([back.next, back.after, back.onlyTwo]).toEqual([0, 0, 0]);
  });
});

test('link order follows the order in which an intent names tools', () => {
  const { of, order } = linksOf(['a:alpha', 'b:beta', 'b:gamma'], { intent: 'gamma alpha beta' });

  expect(order).toEqual(['b:gamma', 'a:alpha', 'b:beta']);
  expect(of('b:gamma', 'a:alpha')).toMatchObject({
    mentionedAfter: 1,
    mentionedNext: 1,
    next: 1,
    sameServer: 0,
    onlyTwo: 0,
  });
  expect(of('b:gamma', 'b:beta')).toMatchObject({ mentionedAfter: 1, mentionedNext: 0, next: 0 });
  expect(of('b:beta', 'b:gamma').mentionedAfter).toBe(-1);
});

// covers: GATE-CONTROL
test('link signals do not tell in which order members are given, even if nothing else orders them', () => {
  const object = (name: string): JsonObject => {
    return { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] };
  };
  // Each could give its result to each other: only the order in which they are given tells them apart.
  const same = (text: string): [ToolId, PlannableTool] => {
    const output = { schema: object('user_id'), source: 'declared' } as const;
    return [id(text), { id: id(text), inputSchema: object('user_id'), output }];
  };
  const names = ['a:one', 'a:two', 'a:six'];
  const tools = new Map(names.map(same));

  const there = linksOf(names, {}, () => tools);
  const back = linksOf(names.toReversed(), {}, () => tools);

  const pairs = names.flatMap((from) => names.map((to) => [from, to] as const));
  expect(pairs.map(([from, to]) => back.of(from, to))).toEqual(
    pairs.map(([from, to]) => there.of(from, to)),
  );
  expect(there.of('a:one', 'a:two').mentionedNext).toBe(0);
});

test('output that fits a parameter speaks for a link', () => {
  const object = (properties: JsonObject): JsonObject => {
    return { type: 'object', properties, required: Object.keys(properties) };
  };
  const tool = (text: string, input: JsonObject, output: JsonObject): [ToolId, PlannableTool] => {
    const schema = { schema: object(output), source: 'declared' } as const;
    return [id(text), { id: id(text), inputSchema: object(input), output: schema }];
  };
  const tools = new Map([
    tool('a:find_user', { query: { type: 'string' } }, { user_id: { type: 'string' } }),
    tool('a:get_orders', { user_id: { type: 'string' } }, { total: { type: 'number' } }),
  ]);

  const { of } = linksOf(['a:find_user', 'a:get_orders'], {}, () => tools);

  expect(of('a:find_user', 'a:get_orders').fits).toBe(1);
  expect(of('a:find_user', 'a:get_orders').fitsWell).toBeGreaterThan(0.5);
  expect(of('a:get_orders', 'a:find_user')).toMatchObject({ fits: 0, fitsWell: 0 });
});

test('similar run without recorded values has no effect on links', () => {
  const traces = [served('r1', 'x', ['a:find', 'a:read'])];
  const { of } = linksOf(['a:find', 'a:read'], { traces, similar: { r1: 1 } });

  expect(of('a:find', 'a:read')).toMatchObject({ similarDid: 0, similarDidNot: 0 });
});

test('single member has no links, and no members have no order', () => {
  expect(linksOf(['a:one'], {})).toMatchObject({ size: 0, order: ['a:one'] });
  expect(linksOf([], {})).toMatchObject({ size: 0, order: [] });
});
