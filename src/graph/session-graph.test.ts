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

  test('session graph ranks the tools that usually follow the last call above the rest', () => {
    const [read, draw] = [of(id('fs:read'), 0), of(id('chart:draw'), 0)];

    expect(read.next).toBeGreaterThan(0.8);
    expect(read.next).toBeGreaterThan(of(id('mail:send'), 0).next);
    expect(draw.next).toBe(0);
  });

  test('session graph relates tools that were used with any of the calls, directly or indirectly', () => {
    expect(of(id('chart:draw'), 0).related).toBeGreaterThan(0);
    expect(of(id('mail:send'), 0).related).toBeGreaterThan(0);
    expect(of(id('no:such'), 0).related).toBe(0);
  });

  test('session graph brings in related tools, without those already called', () => {
    expect(tools).toContain('fs:read');
    expect(tools).toContain('chart:draw');
    expect(tools).not.toContain('fs:list');
  });
});

test('session graph judges a tool that was seen too seldom by its meaning alone', () => {
  const seldom = sessionGraph(times(4, aTrace(['fs:list', 'fs:read']))).view([id('fs:list')]);

  expect(seldom.of(id('fs:read'), 1).related).toBe(0);
});

test('session graph finds no next, related or additional tool before the first call', () => {
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

  test('a capability overlaps more the more of it was called, and more if its tools belong together', () => {
    expect(of(id('cap:report'), 0).overlap).toBeCloseTo((2 / 3) * 1.5);
    expect(of(id('cap:plot'), 0).overlap).toBe(0);
  });

  test('a capability counts as much as all of its parts are reliable', () => {
    expect(of(id('cap:report'), 0.8).capability).toBeCloseTo(0.8 * 0.9);
    expect(of(id('cap:plot'), 0.8).capability).toBeLessThan(0.8 * 0.7);
  });
});

test('session graph ignores executions that are left out', async () => {
  const all = WORK.map((trace, place) => ({ ...trace, id: `t${place}` }));
  const isMail = ({ calls }: ExecutionTrace) => calls.some(({ tool }) => tool === 'mail:send');

  const others = await sessionGraph(all).without(isMail, { traces: all, pause });

  expect(others.view([id('fs:list')]).tools).toEqual([]);
  expect(others.view([id('db:query')]).tools).toEqual(['chart:draw']);
});

test('session graph scores are in [0, 1] for any graph, calls and similarity', () => {
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
