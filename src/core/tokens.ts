/**
 * Estimates o200k tokens without loading the tokenizer. JSON and code run at about 3.3 characters
 * a token and prose at 4.4; the lower figure keeps budgets on the safe side.
 */
const CHARACTERS_PER_TOKEN = 3.3;

export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
