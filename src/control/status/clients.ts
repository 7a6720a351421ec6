import { asText, estimateTokens } from '../../core/index.js';
import type { Sessions } from '../../gateway/index.js';
import type { View } from '../../tools/index.js';
import type { ClientRow } from '../contract/events.js';

/** Of everything a client could have been shown; the view is another one when that changes. */
const ALL_TOKENS = new WeakMap<View, number>();

/** Every connected client with what PML sent to it, and what that saved. */
export function clientRows({ all, tools }: Pick<Sessions, 'all' | 'tools'>): readonly ClientRow[] {
  const everything = allTokens(tools.view);
  return [...all].map(({ id, info, budget }) => ({
    id,
    name: asText(info['name']) || 'unknown',
    usedTokens: budget.usedTokens,
    budgetTokens: budget.budgetTokens,
    resultTokens: budget.sent.results,
    savedTokens: Math.max(0, everything - budget.usedTokens),
  }));
}

function allTokens(view: View): number {
  const known = ALL_TOKENS.get(view);
  if (known !== undefined) return known;
  const tokens = view.all.reduce((sum, { tool }) => {
    const { name, description, inputSchema } = tool.definition;
    return sum + estimateTokens(JSON.stringify({ name, description, inputSchema }));
  }, 0);
  ALL_TOKENS.set(view, tokens);
  return tokens;
}
