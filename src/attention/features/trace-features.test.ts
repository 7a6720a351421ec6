import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { noPause } from '../../../test/helpers/examples.js';
import { aCall, AT, aTrace, id } from '../../../test/helpers/graph-samples.js';
import type { ExecutionTrace } from '../../core/index.js';
import { FeatureMemory } from './feature-memory.js';
import { namedFeatures, NO_FEATURES, TRACE_FEATURES } from './feature-names.js';
import { predictPathSuccess } from './path-success.js';
import { type FeatureContext, traceFeatures } from './trace-features.js';

const NOTHING: FeatureContext = { around: [], similar: [], now: AT };

function remembering(...traces: readonly ExecutionTrace[]): FeatureMemory {
  const memory = new FeatureMemory();
  for (const trace of traces) memory.add(trace);
  return memory;
}

function featuresOf(memory: FeatureMemory, tool: string, context: Partial<FeatureContext> = {}) {
  const values = traceFeatures(memory, { ...NOTHING, ...context })(id(tool));
  return Object.fromEntries(TRACE_FEATURES.map((name, at) => [name, values[at]!])) as Record<
    (typeof TRACE_FEATURES)[number],
    number
  >;
}

const many = (count: number, trace: ExecutionTrace) =>
  Array.from({ length: count }, (_, place) => ({ ...trace, id: `t${place}` }));

describe('trace features', () => {
  // covers: FEATURES-COLD
  test('trace features are seventeen, and all 0 for a tool without history', () => {
    expect(TRACE_FEATURES).toHaveLength(17);
    expect(traceFeatures(new FeatureMemory(), NOTHING)(id('a:x'))).toEqual(NO_FEATURES);
    expect(namedFeatures()).toEqual({});
  });

  test('trace features show how often a tool succeeds and how it fails', () => {
    const failing = aTrace([aCall('!a:x', { errorType: 'timeout', errorMessage: 'too slow' })]);
    const memory = remembering(...many(10, failing), aTrace(['a:y']));

    const failed = featuresOf(memory, 'a:x');

    expect(failed.successRate).toBeLessThan(-0.4);
    expect(failed.timeout).toBe(0.5);
    expect(failed.network).toBe(0);
    expect(featuresOf(memory, 'a:y').successRate).toBeGreaterThan(0);
    expect(memory.recordOf(id('a:x'))).toEqual({
      calls: 10,
      worked: 0,
      usualFailure: 'timeout',
      lastError: 'too slow',
    });
  });

  test('trace features show how often a tool succeeds after the tools of the context', () => {
    const memory = remembering(
      ...many(10, aTrace(['a:sign_in', 'a:save'])),
      ...many(10, aTrace(['a:read', '!a:save'])),
    );
    const after = (tool: string) =>
      featuresOf(memory, 'a:save', { around: [{ tool: id(tool), weight: 1 }] });

    expect(after('a:sign_in').contextSuccess).toBeGreaterThan(0.1);
    expect(after('a:read').contextSuccess).toBeLessThan(-0.1);
    expect(after('a:read').cooccurrence).toBeCloseTo(10 / 23);
    expect(after('a:other').cooccurrence).toBe(0);
  });

  test('trace features show how a tool did in runs with a similar intent', () => {
    const memory = remembering({ ...aTrace(['!a:x', 'a:y']), id: 'run' });
    const similar = [{ id: 'run', share: 1, worked: [id('a:y')] }];

    expect(featuresOf(memory, 'a:x', { similar }).similarSuccess).toBeLessThan(-0.5);
    expect(featuresOf(memory, 'a:y', { similar }).similarSuccess).toBeGreaterThan(0);
  });

  test('trace features hold position, time, recency, frequency, recovery and remaining calls', () => {
    const slow = aTrace([aCall('a:first', { ms: 20_000 }), aCall('a:last', { ms: 10 })]);
    const memory = remembering(...many(20, slow), ...many(5, aTrace(['!a:first', 'a:help'])));

    const first = featuresOf(memory, 'a:first');
    const last = featuresOf(memory, 'a:last');

    expect(first.position).toBeLessThan(0);
    expect(last.position).toBeGreaterThan(0);
    expect(first.duration).toBeGreaterThan(last.duration);
    expect(first.frequency).toBe(1);
    expect(last.frequency).toBeLessThan(1);
    expect(last.recency).toBe(1);
    expect(featuresOf(memory, 'a:last', { now: AT + 86_400_000 }).recency).toBe(0.5);
    expect(featuresOf(memory, 'a:help').errorRecovery).toBeCloseTo(5 / 8);
    expect(first.pathLength).toBeGreaterThan(last.pathLength);
    expect(last.pathVariance).toBe(0);
  });

  // covers: FEATURES-COLD
  test('trace features without a group equal those of a memory that never saw the group', async () => {
    const tools = ['a:x', 'a:y', 'a:z'];
    const anyTrace = fc
      .record({
        steps: fc.array(fc.record({ tool: fc.constantFrom(...tools), ok: fc.boolean() }), {
          minLength: 1,
          maxLength: 5,
        }),
        group: fc.constantFrom('g', 'h', 'i'),
      })
      .map(({ steps, group }) => ({
        ...aTrace(steps.map(({ tool, ok }) => aCall(ok ? tool : `!${tool}`))),
        group,
      }));
    const named = (traces: readonly ExecutionTrace[]) =>
      traces.map((trace, place) => ({ ...trace, id: `t${place}` }));

    await fc.assert(
      fc.asyncProperty(fc.array(anyTrace, { maxLength: 12 }), async (some) => {
        const traces = named(some);
        const others = traces.filter(({ group }) => group !== 'g');
        const isLeftOut = ({ group }: ExecutionTrace) => group === 'g';
        const left = await FeatureMemory.without(isLeftOut, { traces, pause: noPause });
        const around = [{ tool: id('a:y'), weight: 1 }];

        for (const tool of tools) {
          expect(featuresOf(left, tool, { around })).toEqual(
            featuresOf(remembering(...others), tool, { around }),
          );
        }
      }),
    );
  });
});

// covers: PATH-SUCCESS
describe('predictPathSuccess', () => {
  const path = (...steps: readonly string[]) => ({ steps: steps.map(id), links: [] });

  test('predictPathSuccess predicts nothing for tools that were never called', () => {
    expect(predictPathSuccess(path('a:x', 'a:y'), new FeatureMemory())).toBeUndefined();
  });

  test('predictPathSuccess predicts less for a path with a failing step and names how that step fails', () => {
    const failing = aTrace([aCall('a:x'), aCall('!a:y', { errorType: 'network' })]);
    const memory = remembering(...many(8, { ...failing, ok: false }), aTrace(['a:x', 'a:z']));

    const risky = predictPathSuccess(path('a:x', 'a:y'), memory)!;
    const safe = predictPathSuccess(path('a:x', 'a:z'), memory)!;

    expect(risky.probability).toBeLessThan(0.2);
    expect(safe.probability).toBeGreaterThan(0.6);
    expect(safe.againstUsual).toBe(1);
    expect(risky.weakest).toMatchObject({ tool: 'a:y', calls: 8, usualFailure: 'network' });
  });

  test('predictPathSuccess stays near the average of all tools when evidence is scarce', () => {
    const all = many(200, aTrace(['a:x', 'a:z']));
    const memory = remembering(...all, { ...aTrace(['!a:new']), ok: false });

    expect(predictPathSuccess(path('a:new'), memory)!.probability).toBeGreaterThan(0.8);
  });
});
