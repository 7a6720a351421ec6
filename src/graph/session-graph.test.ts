import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  aChain,
  anyCapabilities,
  anyTrace,
  aTrace,
  AT,
  id,
} from '../../test/helpers/graph-samples.js';
import type { ExecutionTrace } from '../core/index.js';
import type { ShapedCapability } from './capability-shape.js';
import { computeMetrics } from './clusters/metrics.js';
import { graphOf } from './graph-of.js';
import { KnowledgeGraph } from './knowledge-graph.js';
import { SessionGraph } from './session-graph.js';

const pause = async () => {};

function sessionGraph(
  traces: readonly ExecutionTrace[],
  capabilities: readonly ShapedCapability[] = [],
): SessionGraph {
  const graph = new KnowledgeGraph();
  graph.apply(graphOf(traces));
  graph.setCapabilities(capabilities);
  const metrics = computeMetrics(graph);
  return new SessionGraph({
    graph,
    metrics: () => metrics,
    capabilities: () => capabilities,
    now: () => AT,
  });
}

/** With the tools it was seen to use. */
function proven(name: string, calls: readonly string[]): ShapedCapability {
  const chain = aChain(name, calls);
  return { ...chain, current: { ...chain.current, toolsUsed: calls.map(id) } };
}

const times = (count: number, trace: ExecutionTrace) => Array.from({ length: count }, () => trace);

const WORK = [
  ...times(6, aTrace(['fs:list', 'fs:read', 'mail:send'])),
  ...times(6, aTrace(['db:query', 'chart:draw'])),
];

describe('after some calls', () => {
  const { tools, of } = sessionGraph(WORK).view([id('db:query'), id('fs:list')]);

  test('what came after the last one before is next, and more so than the rest', () => {
    const [read, draw] = [of(id('fs:read'), 0), of(id('chart:draw'), 0)];

    expect(read.next).toBeGreaterThan(0.8);
    expect(read.next).toBeGreaterThan(of(id('mail:send'), 0).next);
    expect(draw.next).toBe(0);
  });

  test('what was used with any of them is related, directly or over others', () => {
    expect(of(id('chart:draw'), 0).related).toBeGreaterThan(0);
    expect(of(id('mail:send'), 0).related).toBeGreaterThan(0);
    expect(of(id('no:such'), 0).related).toBe(0);
  });

  test('what goes with them is brought in, without what was called', () => {
    expect(tools).toContain('fs:read');
    expect(tools).toContain('chart:draw');
    expect(tools).not.toContain('fs:list');
  });
});

test('what was seen too seldom is judged by its meaning alone', () => {
  const seldom = sessionGraph(times(4, aTrace(['fs:list', 'fs:read']))).view([id('fs:list')]);

  expect(seldom.of(id('fs:read'), 1).related).toBe(0);
});

test('before the first call nothing is next, related or brought in', () => {
  const { tools, of } = sessionGraph(WORK).view([]);

  expect(tools).toEqual([]);
  expect(of(id('fs:read'), 1)).toEqual({ related: 0, next: 0 });
});

describe('a capability', () => {
  const capabilities = [
    proven('report', ['fs:list', 'fs:read', 'mail:send']),
    proven('plot', ['db:query', 'chart:draw']),
  ];
  const failing = times(6, aTrace(['!db:query']));
  const { of } = sessionGraph([...WORK, ...failing], capabilities).view([
    id('fs:list'),
    id('fs:read'),
  ]);

  test('is the nearer the more of it was just called, more where its tools belong together', () => {
    expect(of(id('cap:report'), 0).overlap).toBeCloseTo((2 / 3) * 1.5);
    expect(of(id('cap:plot'), 0).overlap).toBe(0);
  });

  test('counts as far as all it is made of can be relied on', () => {
    expect(of(id('cap:report'), 0.8).capability).toBeCloseTo(0.8 * 0.9);
    expect(of(id('cap:plot'), 0.8).capability).toBeLessThan(0.8 * 0.7);
  });
});

test('executions that are left out tell nothing', async () => {
  const all = WORK.map((trace, place) => ({ ...trace, id: `t${place}` }));
  const isMail = ({ calls }: ExecutionTrace) => calls.some(({ tool }) => tool === 'mail:send');

  const others = await sessionGraph(all).without(isMail, { traces: all, pause });

  expect(others.view([id('fs:list')]).tools).toEqual([]);
  expect(others.view([id('db:query')]).tools).toEqual(['chart:draw']);
});

test('everything is in [0, 1], for whatever graph, calls and likeness', () => {
  const tools = ['a:one', 'a:two', 'b:three', 'cap:x', 'cap:y', 'no:such'].map(id);
  fc.assert(
    fc.property(
      fc.array(anyTrace, { maxLength: 8 }),
      anyCapabilities,
      fc.array(fc.constantFrom(...tools), { maxLength: 4 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (traces, capabilities, called, likeness) => {
        const { of } = sessionGraph(traces, capabilities).view(called);

        for (const value of tools.flatMap((tool) => Object.values(of(tool, likeness)))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      },
    ),
  );
});
