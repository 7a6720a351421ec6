import { nameParts, parseToolId, type ToolId } from '../core/index.js';
import type { PastPlan } from './past-plan.js';
import type { PlanMemory } from './plan-memory.js';
import { requestWords, type RequestWords } from './request-words.js';

/** What served the same request before. */
export interface RepeatedRequest {
  readonly tools: ReadonlySet<ToolId>;
  /** Ids of the executions that did. */
  readonly runs: readonly string[];
  /** How far it is the same and still works, from 0 to 1. */
  readonly likeness: number;
}

export interface RepeatOptions {
  readonly plans: PlanMemory;
  /** Past requests that are like it, most alike first. */
  readonly similar: readonly { readonly plan: PastPlan }[];
  /** Tools that may be meant. */
  readonly likely: readonly { readonly tool: ToolId }[];
}

/** "Do it again" is said of anything. */
const LEAST_WORDS = 2;
/** Requests with a smaller share of their words in common are only alike. */
const NEARLY_THE_SAME = 0.8;
const LOOKED_AT = 5;
/** Change what is wanted, whatever else is the same. */
const TURNING = new Set(
  "not no never without except but only instead don't dont nor neither before after unless if".split(
    ' ',
  ),
);

/**
 * The newest execution that worked and was asked for in the same words, or in words that differ in
 * nothing that names a tool. That is no matter of how much was learned: once is enough.
 */
export function repeatedRequest(
  intent: string,
  { plans, similar, likely }: RepeatOptions,
): RepeatedRequest | undefined {
  const request = requestWords(intent);
  if (request.words.length < LEAST_WORDS) return undefined;
  const candidates = [intent, ...similar.slice(0, LOOKED_AT).map(({ plan }) => plan.intent)];
  const tools = likely.map(({ tool }) => tool);
  for (const candidate of new Set(candidates)) {
    const { words } = requestWords(candidate);
    if (words.length < LEAST_WORDS) continue;
    const asked = plans
      .asked(words)
      .filter((plan) => !differInTool(request, plan, [...tools, ...plan.tools]));
    const { common } = compare(request.words, words);
    const likeness = (2 * common) / (request.words.length + words.length);
    const served = likeness < NEARLY_THE_SAME ? undefined : servedBy(asked, likeness);
    if (served) return served;
  }
  return undefined;
}

/** Whether what one says and the other does not names a tool, or turns what is wanted. */
function differInTool(request: RequestWords, plan: PastPlan, tools: readonly ToolId[]): boolean {
  const past = requestWords(plan.intent);
  const words = compare(request.words, past.words).different;
  const names = compare(request.names, past.names).different;
  if (words.length + names.length === 0) return false;
  const named = new Set(tools.flatMap(nameWords));
  const whole = tools.map((tool) => lettersOf(tool));
  return (
    words.some((word) => TURNING.has(word) || [...formsOf(word)].some((form) => named.has(form))) ||
    names.some((name) => name.length > 2 && whole.some((tool) => tool.includes(lettersOf(name))))
  );
}

/** What somebody did step by step for one question is one plan. */
function servedBy(asked: readonly PastPlan[], likeness: number): RepeatedRequest | undefined {
  const newest = asked.findLast(({ ok, tools }) => ok && tools.length > 0);
  if (!newest) return undefined;
  const own = asked.filter(({ ok, group }) => ok && group === newest.group);
  const tools = new Set(own.flatMap((plan) => plan.tools));
  const later = asked.slice(asked.indexOf(newest) + 1);
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

function nameWords(tool: ToolId): readonly string[] {
  return nameParts(parseToolId(tool).tool).flatMap((word) => [...formsOf(word)]);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** `files` names `file`. */
function formsOf(word: string): ReadonlySet<string> {
  return new Set([word, word.replace(/(?:es|s|ed|ing)$/, ''), word.replace(/(?:s|d)$/, '')]);
}
