/** How much of the agent's context window tool descriptions may take, and have taken. */
export interface ContextBudget {
  /** The whole window. */
  readonly totalTokens: number;
  /** The part of it for tool descriptions. */
  readonly budgetTokens: number;
  readonly usedTokens: number;
  readonly availableTokens: number;
}

/** One answer should not take a whole budget, however much is left. */
const MOST_PER_ANSWER = 2_000;

export function createContextBudget({
  windowTokens,
  share,
}: {
  readonly windowTokens: number;
  readonly share: number;
}): ContextBudget {
  const budgetTokens = Math.floor(windowTokens * share);
  return {
    totalTokens: windowTokens,
    budgetTokens,
    usedTokens: 0,
    availableTokens: budgetTokens,
  };
}

/** The budget after an answer of `tokens`. It may be overdrawn, but never has less than nothing. */
export function spend(budget: ContextBudget, tokens: number): ContextBudget {
  const usedTokens = budget.usedTokens + tokens;
  return { ...budget, usedTokens, availableTokens: Math.max(0, budget.budgetTokens - usedTokens) };
}

/** How long one answer may be if the agent does not say. */
export function answerLimit({ availableTokens }: ContextBudget): number {
  return Math.min(availableTokens, MOST_PER_ANSWER);
}
