import { expect, test } from 'vitest';

import { id } from '../../test/helpers/graph-samples.js';
import { served } from '../../test/helpers/ready-discovery.js';
import { byName } from '../../test/helpers/suggest-evidence.js';
import { CONFIDENCE_SIGNALS, confidenceSignals } from './confidence.js';
import { pastPlan } from './past/past-plan.js';

const likely = (tool: string, probability: number) => ({ tool: id(tool), probability });

test('sure members, a far rival and agreeing runs all speak for a plan', () => {
  const chosen = {
    members: [likely('a:one', 0.9), likely('a:two', 0.6)],
    others: [likely('a:three', 0.3)],
    expected: 0.8,
  };
  const similar = [
    { plan: pastPlan(served('r1', 'x', ['a:one', 'a:two', 'a:four'])), share: 0.5 },
    { plan: pastPlan(served('r2', 'y', ['a:five'])), share: 0.5 },
  ];

  const signals = byName(CONFIDENCE_SIGNALS, confidenceSignals(chosen, { similar, trust: 0.4 }));

  expect(signals.bias).toBe(1);
  expect(signals.expected).toBeCloseTo(Math.log(4), 12);
  expect(signals.least).toBeCloseTo(Math.log(0.6 / 0.4), 12);
  expect(signals.rival).toBeCloseTo(Math.log(0.3 / 0.7), 12);
  // Two in common, of three and two: half of 2 × 2 / 5.
  expect(signals.agreement).toBeCloseTo(0.4, 12);
  expect(signals.sureAgreement).toBeCloseTo(0.16, 12);
  expect(signals.size).toBeCloseTo(Math.log(3), 12);
});

test('a plan of nothing has nothing that speaks for it', () => {
  const chosen = { members: [], others: [], expected: 0 };

  const signals = byName(CONFIDENCE_SIGNALS, confidenceSignals(chosen, { similar: [], trust: 1 }));

  expect(signals.least).toBeCloseTo(-Math.log(99), 12);
  expect(signals.expected).toBeCloseTo(-Math.log(99), 12);
  expect(signals.agreement).toBe(0);
});

test('a request that is nearly one of before is trusted less than the same', () => {
  const chosen = { members: [likely('a:one', 0.99)], others: [], expected: 0.99 };
  const repeating = (likeness: number) =>
    byName(
      CONFIDENCE_SIGNALS,
      confidenceSignals(chosen, {
        similar: [],
        trust: 1,
        repeated: { tools: new Set([id('a:one')]), runs: ['r1'], likeness },
      }),
    ).nearlyRepeated;

  expect(repeating(1)).toBe(0);
  expect(repeating(0.85)).toBeCloseTo(0.15, 12);
});
