import { describe, expect, test } from 'vitest';

import { served } from '../../../test/helpers/ready-discovery.js';
import { describeLearning } from '../../cli/learned/learning-describe.js';
import type { ExecutionTrace } from '../../core/index.js';
import { learningMetrics } from './learning.js';

const DAY_MS = 86_400_000;

/** Runs of ten a day, of which a share succeeds, each with so many calls. */
function runs(count: number, share: number, calls: number, after = 0): readonly ExecutionTrace[] {
  return Array.from({ length: count }, (_, place) => {
    const at = new Date(Math.floor((after + place) / 10) * DAY_MS);
    const tools = Array.from({ length: calls }, (_call, step) => `a:step${step}`);
    const ok = place % 10 < share * 10;
    return served(`r${after + place}`, 'tidy up', tools, { at, ok });
  });
}

// covers: METRICS-LEARNING
describe('learningMetrics', () => {
  test('learningMetrics counts runs until they succeed a tenth more often with a tenth fewer calls', () => {
    const metrics = learningMetrics([...runs(60, 0.6, 4), ...runs(60, 0.9, 3, 60)]);

    expect(metrics).toMatchObject({
      runs: 120,
      all: { successRate: 0.75 },
      success: { first: 0.6, newest: 0.9, runsUntilBetter: 90, hasRoom: true },
      pathLength: { first: 4, newest: 3, runsUntilBetter: 90 },
    });
    expect(metrics.days).toHaveLength(12);
    expect(metrics.days[0]).toEqual({
      day: '1970-01-01',
      runs: 10,
      successRate: 0.6,
      pathLength: 4,
    });
    expect(metrics.windows).toHaveLength(4);
  });

  test('learningMetrics leaves out single calls without an intent of an agent', () => {
    const lone = served('c', '', ['a:read']);

    expect(learningMetrics([lone, ...runs(2, 1, 1)])).toMatchObject({ executions: 3, runs: 2 });
  });

  test('learningMetrics reports no room to improve, no change, or too few runs', () => {
    const perfect = learningMetrics(runs(60, 1, 1));
    const same = learningMetrics(runs(60, 0.5, 3));
    const few = learningMetrics(runs(20, 0.5, 3));

    expect(perfect.success).toEqual({ first: 1, newest: 1, hasRoom: false });
    expect(describeLearning(perfect).join('\n')).toContain('no tenth left to gain');
    expect(describeLearning(same).join('\n')).toContain('It was never better by a tenth.');
    expect(few).not.toHaveProperty('success');
    expect(describeLearning(few).join('\n')).toContain('20 of 60');
    expect(describeLearning(learningMetrics([])).join('\n')).toContain('Nothing to measure yet');
  });
});
