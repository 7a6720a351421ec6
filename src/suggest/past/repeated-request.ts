import { nameParts, parseToolId, type ToolId } from '../../core/index.js';
import { NEARLY_THE_SAME } from '../../learning/index.js';
import { formsOf, requestWords, type RequestWords } from '../../words/index.js';
import type { PastPlan } from './past-plan.js';
import type { PlanMemory } from './plan-memory.js';

/** The tools that served the same request before. */
export interface RepeatedRequest {
  readonly tools: ReadonlySet<ToolId>;
  /** Ids of the executions that served it. */
  readonly runs: readonly string[];
  /** How similar the request is and how well it still works, from 0 to 1. */
  readonly likeness: number;
}

export interface RepeatOptions {
  readonly plans: PlanMemory;
  /** Similar past requests, most similar first. */
  readonly similar: readonly { readonly plan: PastPlan }[];
  /** Tools that the intent may mean. */
  readonly likely: readonly { readonly tool: ToolId }[];
}

/** "Do it again" fits any request. */
const LEAST_WORDS = 2;
const LOOKED_AT = 5;
/** Words that change the meaning, whatever else is the same. */
const TURNING = new Set(
  "not no never without except but only instead don't dont nor neither before after unless if".split(
    ' ',
  ),
);

/**
 * The newest successful execution whose request has the same words, or differs only in words that
 * name no tool. This does not depend on how much PML has learned: one execution is enough.
 */
export function repeatedRequest(
  intent: string,
  { plans, similar, likely }: RepeatOptions,
): RepeatedRequest | undefined {
  const request = requestWords(intent);
  if (request.words.length < LEAST_WORDS) return undefined;
  const candidates = [intent, ...similar.slice(0, LOOKED_AT).map(({ plan }) => plan.intent)];
  const differs = differInTool(
    request,
    likely.map(({ tool }) => tool),
  );
  for (const candidate of new Set(candidates)) {
    const { words } = requestWords(candidate);
    if (words.length < LEAST_WORDS) continue;
    const { common } = compare(request.words, words);
    const likeness = (2 * common) / (request.words.length + words.length);
    if (likeness < NEARLY_THE_SAME) continue;
    const served = servedBy(plans.asked(words), (plan) => !differs(plan), likeness);
    if (served) return served;
  }
  return undefined;
}

/** Whether the difference between the requests names a tool or reverses the meaning. */
function differInTool(
  request: RequestWords,
  likely: readonly ToolId[],
): (plan: PastPlan) => boolean {
  // Computed once and on demand: a request may have been repeated thousands of times.
  let names: ToolNames | undefined;
  const known = new Map<string, boolean>();
  return ({ intent, tools }) => {
    const key = `${intent}\n${tools.join('\n')}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const past = requestWords(intent);
    const words = compare(request.words, past.words).different;
    const named = compare(request.names, past.names).different;
    const isOther =
      words.length + named.length > 0 &&
      [(names ??= namesOf(likely)), namesOf(tools)].some((own) => isNamed(own, words, named));
    known.set(key, isOther);
    return isOther;
  };
}

interface ToolNames {
  readonly words: ReadonlySet<string>;
  /** Whole, letters only. */
  readonly whole: readonly string[];
}

function namesOf(tools: readonly ToolId[]): ToolNames {
  return { words: new Set(tools.flatMap(formsInName)), whole: tools.map(lettersOf) };
}

function isNamed(
  { words: known, whole }: ToolNames,
  words: readonly string[],
  names: readonly string[],
): boolean {
  return (
    words.some((word) => TURNING.has(word) || [...formsOf(word)].some((form) => known.has(form))) ||
    names.some((name) => name.length > 2 && whole.some((tool) => tool.includes(lettersOf(name))))
  );
}

/** Separate steps for one question are one plan. Newest first, so most are never read. */
function servedBy(
  asked: readonly PastPlan[],
  isSame: (plan: PastPlan) => boolean,
  likeness: number,
): RepeatedRequest | undefined {
  const at = asked.findLastIndex((plan) => plan.ok && plan.tools.length > 0 && isSame(plan));
  const newest = asked[at];
  if (!newest) return undefined;
  const own = asked.filter((plan) => plan.ok && plan.group === newest.group && isSame(plan));
  const tools = new Set(own.flatMap((plan) => plan.tools));
  const later = asked.slice(at + 1).filter(isSame);
  if (later.some(({ rejected }) => rejected.some((tool) => tools.has(tool)))) return undefined;
  return { tools, runs: own.map(({ id }) => id), likeness: likeness / (1 + later.length) };
}

function compare(some: readonly string[], others: readonly string[]) {
  const left = [...others];
  const own = some.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { common: some.length - own.length, different: [...own, ...left] };
}

function formsInName(tool: ToolId): readonly string[] {
  return nameParts(parseToolId(tool).tool).flatMap((word) => [...formsOf(word)]);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
