import { expect, test } from 'vitest';

import type { ToolId } from '../../core/index.js';
import { fitsPlan, FRESH_BUDGET, isSpent, NEW_PLAN, spendAhead } from './ahead-budget.js';

const LIMITS = { callsPerMinute: 2, msPerMinute: 1_000, bytesPerMinute: 500 };
const T0 = 1_000_000;

// covers: AHEAD-BUDGET
test.each([
  ['calls', { calls: 2 }],
  ['milliseconds', { ms: 1_000 }],
  ['bytes', { bytes: 500 }],
])('a budget whose %s are spent stays spent until the next minute', (_what, spent) => {
  const budget = spendAhead(FRESH_BUDGET, spent, T0);

  expect(isSpent(budget, LIMITS, T0 + 59_999)).toBe(true);
  expect(isSpent(budget, LIMITS, T0 + 60_000)).toBe(false);
});

test('what is spent adds up within a minute and is forgotten with it', () => {
  const one = spendAhead(FRESH_BUDGET, { calls: 1 }, T0);

  expect(isSpent(one, LIMITS, T0)).toBe(false);
  expect(isSpent(spendAhead(one, { calls: 1 }, T0 + 10), LIMITS, T0 + 20)).toBe(true);
  expect(isSpent(spendAhead(one, { calls: 1 }, T0 + 60_000), LIMITS, T0 + 60_000)).toBe(false);
});

test('a plan takes no more money and no more time than it may', () => {
  const tool = 'a:read' as ToolId;
  const settings = { cost: { [tool]: 0.06 }, moneyPerPlan: 0.1, planMs: 5_000 };

  expect(fitsPlan(NEW_PLAN, tool, settings)).toBe(true);
  expect(fitsPlan({ money: 0.06, ms: 0 }, tool, settings)).toBe(false);
  expect(fitsPlan({ money: 0.06, ms: 0 }, 'a:free' as ToolId, settings)).toBe(true);
  expect(fitsPlan({ money: 0, ms: 5_000 }, tool, settings)).toBe(false);
});
