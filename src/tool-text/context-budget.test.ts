import { expect, test } from 'vitest';

import { answerLimit, createContextBudget, spend } from './context-budget.js';

test('gives tools their share of the window and keeps account', () => {
  const budget = createContextBudget({ windowTokens: 200_000, share: 0.05 });

  expect(budget).toEqual({
    totalTokens: 200_000,
    budgetTokens: 10_000,
    usedTokens: 0,
    availableTokens: 10_000,
  });
  expect(spend(spend(budget, 300), 200)).toMatchObject({ usedTokens: 500, availableTokens: 9_500 });
  expect(spend(budget, 12_000)).toMatchObject({ usedTokens: 12_000, availableTokens: 0 });
});

test('limits one answer to a part of the budget, and to what is left of it', () => {
  const budget = createContextBudget({ windowTokens: 200_000, share: 0.05 });

  expect(answerLimit(budget)).toBe(2_000);
  expect(answerLimit(spend(budget, 9_400))).toBe(600);
});
