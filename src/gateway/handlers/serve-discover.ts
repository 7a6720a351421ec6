import * as z from 'zod';

import { type JsonObject, PmlError, type ToolResult } from '../../core/index.js';
import {
  DEFAULT_HITS,
  discover,
  type DiscoverAnswer,
  type FoundHits,
} from '../../discovery/index.js';
import type { ToolFilter } from '../../search/index.js';
import type { LikelyTool } from '../../speculation/index.js';
import { answerLimit, type ToolRisk } from '../../tool-text/index.js';
import {
  forgiveInput,
  type RequestContext,
  MOST_INTENT_CHARACTERS,
  searchTools,
  toolFilter,
} from '../../tools/index.js';
import type { Workflows } from '../../workflows/index.js';

/** However much was spent before, an answer must have room to be of use. */
const LEAST_TOKENS = 350;

const Arguments = z.strictObject({
  intent: z
    .string()
    .max(MOST_INTENT_CHARACTERS, {
      error: `at most ${MOST_INTENT_CHARACTERS} characters; say it in a sentence`,
    })
    .optional(),
  name: z.string().optional(),
  pattern: z.string().optional(),
  server: z.string().optional(),
  kind: z.enum(['tool', 'capability']).optional(),
  permission: z.enum(['allow', 'ask']).optional(),
  limit: z.int().min(1).optional(),
  detail: z.enum(['names', 'signature', 'schema']).optional(),
  max_tokens: z.int().min(50).optional(),
});

type Arguments = z.infer<typeof Arguments>;

const MOST_HITS = 50;
/** The best tool of a need that others outshine is among these. */
const SPARE_HITS = 15;
/** What agents call the parameters when they do not look. */
const FORGIVEN = {
  aliases: { intent: ['query', 'q', 'request', 'task', 'search'], name: ['tool'] },
  numbers: ['limit', 'max_tokens'],
};

export async function serveDiscover(
  workflows: Workflows,
  args: JsonObject,
  context: RequestContext,
): Promise<ToolResult> {
  const { max_tokens, server, kind, permission, ...request } = readArguments(args);
  const { budget } = context;
  await workflows.tools.readyToSearch();
  const filter = withinAccess(
    workflows,
    context,
    toolFilter(workflows.tools, { server, kind, permission }),
  );
  const found = await rankIntent(workflows, request, { context, filter });
  const maxTokens = max_tokens ?? Math.max(LEAST_TOKENS, answerLimit(budget.current));
  const answer = discover(withoutUndefined({ ...request, maxTokens }), {
    index: workflows.tools.index,
    budget: budget.current,
    filter,
    kind,
    seenOutput: (tool) => workflows.planning.seenOutput(tool),
    riskOf: ({ id }) => riskOf(workflows.tools.policyOf(id)),
    ...(found && { found }),
  });
  workflows.warming.warm(likelyTools(request, answer), 'discovered', context.caller);
  const notes = [
    ...tooMany(args),
    ...unlisted(workflows.tools.viewFor(context.caller.principal).unlisted),
  ];
  const text = JSON.stringify(withNotes(answer, notes));
  return { content: [{ type: 'text', text }] };
}

/** What the client will likely call now: what fits its intent, or the one tool that it names. */
function likelyTools({ intent, name }: Arguments, { hits }: DiscoverAnswer): LikelyTool[] {
  const isMeant = Boolean(intent) || (name !== undefined && hits.length === 1);
  return isMeant ? hits.map(({ tool, score = 0 }) => ({ tool, score })) : [];
}

/** A client that may use less finds nothing else. */
function withinAccess(
  { tools }: Workflows,
  { caller: { principal } }: RequestContext,
  filter: ToolFilter,
): ToolFilter {
  if (!tools.accessOf(principal)) return filter;
  const seen = new Set(tools.viewFor(principal).all.map(({ tool }) => tool.id));
  return (tool) => seen.has(tool.id) && filter(tool);
}

/** Undefined when it is not an intent that is asked for, or not that alone. */
async function rankIntent(
  workflows: Workflows,
  { intent, name, pattern, limit = DEFAULT_HITS }: Arguments,
  { context, filter }: { context: RequestContext; filter: ToolFilter },
): Promise<FoundHits | undefined> {
  if (!intent?.trim() || name || pattern) return undefined;
  const { ranking, result } = await searchTools(workflows.tools, intent, {
    filter,
    limit,
    spare: SPARE_HITS,
    trail: context.trail.current,
    past: workflows.past(),
  });
  context.trail.current = workflows.tools.discovery.shown(context.trail.current, intent, ranking);
  return result;
}

function readArguments(args: JsonObject): Arguments {
  const parsed = Arguments.safeParse(forgiveInput(args, FORGIVEN));
  if (parsed.success) {
    const { limit } = parsed.data;
    return limit === undefined
      ? parsed.data
      : { ...parsed.data, limit: Math.min(limit, MOST_HITS) };
  }
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
  );
  throw new PmlError('BAD_REQUEST', `pml_discover: ${problems.join('; ')}`);
}

function riskOf({ risk, ask }: ReturnType<Workflows['tools']['policyOf']>): ToolRisk | undefined {
  if (risk === 'risky') return 'destructive';
  return ask ? 'needs approval' : undefined;
}

/** An agent must know that a server is missing from the answer, not from the world. */
function unlisted(pending: readonly string[]): readonly string[] {
  return pending.length === 0
    ? []
    : [`Not listed yet (starting or failing): ${pending.join(', ')}.`];
}

function tooMany({ limit }: JsonObject): readonly string[] {
  return Number(limit) > MOST_HITS ? [`limit: ${MOST_HITS} is the most.`] : [];
}

function withNotes(answer: DiscoverAnswer, notes: readonly string[]): DiscoverAnswer {
  const all = [...(answer.note ? [answer.note] : []), ...notes];
  return all.length === 0 ? answer : { ...answer, note: all.join(' ') };
}

function withoutUndefined<T extends object>(
  value: T,
): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
