/**
 * What PML sends to an agent, by what it is for. `menu`: the instructions and PML's own tools.
 * `lists`: other tools that the client lists. `discover`, `plans`, `runs`: PML's answers. `results`:
 * what the tools that the agent called gave.
 */
export type SentKind = 'menu' | 'lists' | 'discover' | 'plans' | 'runs' | 'results';

export type SentTokens = Readonly<Record<SentKind, number>>;

/**
 * How much of the agent's context window PML may take with its own words, and has taken. Everything
 * PML sends is counted. Results of tools are not charged: the agent asked for them, and they must not
 * make the answers about tools shorter.
 */
export interface ContextBudget {
  /** The whole window. */
  readonly totalTokens: number;
  /** The part of it for PML's own words. */
  readonly budgetTokens: number;
  /** Charged so far: everything that was sent, except results. */
  readonly usedTokens: number;
  readonly availableTokens: number;
  readonly sent: SentTokens;
}

/** One answer should not take a whole budget, however much is left. */
const MOST_PER_ANSWER = 2_000;

const NOTHING_SENT: SentTokens = {
  menu: 0,
  lists: 0,
  discover: 0,
  plans: 0,
  runs: 0,
  results: 0,
};

export function createContextBudget({
  windowTokens,
  share,
}: {
  readonly windowTokens: number;
  readonly share: number;
}): ContextBudget {
  return account(windowTokens, Math.floor(windowTokens * share), NOTHING_SENT);
}

/** The budget after an answer of `tokens`. It may be overdrawn, but never has less than nothing. */
export function spend(budget: ContextBudget, kind: SentKind, tokens: number): ContextBudget {
  const { totalTokens, budgetTokens, sent } = budget;
  return account(totalTokens, budgetTokens, { ...sent, [kind]: sent[kind] + tokens });
}

/** The budget of a client that lists its tools: a list takes the place of the one before. */
export function listed(
  { totalTokens, budgetTokens, sent }: ContextBudget,
  tokens: Pick<SentTokens, 'menu' | 'lists'>,
): ContextBudget {
  return account(totalTokens, budgetTokens, { ...sent, ...tokens });
}

/** How long one answer may be if the agent does not say. */
export function answerLimit({ availableTokens }: ContextBudget): number {
  return Math.min(availableTokens, MOST_PER_ANSWER);
}

function account(totalTokens: number, budgetTokens: number, sent: SentTokens): ContextBudget {
  const { results: _results, ...own } = sent;
  const usedTokens = Object.values(own).reduce((sum, tokens) => sum + tokens, 0);
  const availableTokens = Math.max(0, budgetTokens - usedTokens);
  return { totalTokens, budgetTokens, usedTokens, availableTokens, sent };
}
