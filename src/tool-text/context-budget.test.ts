import { expect, test } from 'vitest';

import { answerLimit, createContextBudget, listed, spend } from './context-budget.js';

const budget = createContextBudget({ windowTokens: 200_000, share: 0.05 });

test('PML gets its share of the window and keeps account of every kind of answer', () => {
  expect(budget).toEqual({
    totalTokens: 200_000,
    budgetTokens: 10_000,
    usedTokens: 0,
    availableTokens: 10_000,
    sent: { menu: 0, lists: 0, discover: 0, plans: 0, runs: 0, results: 0 },
  });
  expect(spend(spend(budget, 'discover', 300), 'plans', 200)).toMatchObject({
    usedTokens: 500,
    availableTokens: 9_500,
    sent: { discover: 300, plans: 200 },
  });
  expect(spend(budget, 'runs', 12_000)).toMatchObject({ usedTokens: 12_000, availableTokens: 0 });
});

test('results of tools are counted and not charged', () => {
  expect(spend(budget, 'results', 7_000)).toMatchObject({
    usedTokens: 0,
    availableTokens: 10_000,
    sent: { results: 7_000 },
  });
});

test('a list takes the place of the one before, answers add up', () => {
  const first = spend(listed(budget, { menu: 450, lists: 3_000 }), 'discover', 100);

  expect(listed(first, { menu: 450, lists: 2_000 })).toMatchObject({
    usedTokens: 2_550,
    sent: { menu: 450, lists: 2_000, discover: 100 },
  });
});

test('one answer gets a part of the budget at most, and what is left of it', () => {
  expect(answerLimit(budget)).toBe(2_000);
  expect(answerLimit(spend(budget, 'discover', 9_400))).toBe(600);
});
