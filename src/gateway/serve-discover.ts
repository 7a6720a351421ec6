import * as z from 'zod';

import { type JsonObject, PmlError, type ToolResult } from '../core/index.js';
import {
  answerLimit,
  answerTokens,
  discover,
  type DiscoverAnswer,
  spend,
} from '../search/index.js';
import type { Gateway } from './gateway.js';
import type { RequestContext } from './request-context.js';

/** However much was spent before, an answer must have room to be of use. */
const LEAST_TOKENS = 350;

const Arguments = z.strictObject({
  intent: z.string().optional(),
  name: z.string().optional(),
  pattern: z.string().optional(),
  limit: z.int().min(1).max(50).optional(),
  detail: z.enum(['names', 'signature', 'schema']).optional(),
  max_tokens: z.int().min(50).optional(),
});

export async function serveDiscover(
  gateway: Gateway,
  args: JsonObject,
  { budget }: RequestContext,
): Promise<ToolResult> {
  const { max_tokens, ...request } = readArguments(args);
  await gateway.firstListing();
  const maxTokens = max_tokens ?? Math.max(LEAST_TOKENS, answerLimit(budget.current));
  const answer = discover(withoutUndefined({ ...request, maxTokens }), {
    index: gateway.index,
    budget: budget.current,
  });
  budget.current = spend(budget.current, answerTokens(answer));
  const text = JSON.stringify(withPending(answer, gateway.view.unlisted));
  return { content: [{ type: 'text', text }] };
}

function readArguments(args: JsonObject): z.infer<typeof Arguments> {
  const parsed = Arguments.safeParse(args);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
  );
  throw new PmlError('BAD_REQUEST', `pml_discover: ${problems.join('; ')}`);
}

/** An agent must know that a server is missing from the answer, not from the world. */
function withPending(answer: DiscoverAnswer, pending: readonly string[]): DiscoverAnswer {
  if (pending.length === 0) return answer;
  const waiting = `Not listed yet (starting or failing): ${pending.join(', ')}.`;
  return { ...answer, note: answer.note ? `${answer.note} ${waiting}` : waiting };
}

function withoutUndefined<T extends object>(
  value: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
