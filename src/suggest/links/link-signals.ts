import { parseToolId, taskId, type ToolId } from '../../core/index.js';
import { logOdds } from '../../learning/index.js';
import {
  inferFlow,
  type InferOptions,
  type PairMemory,
  type PlannableTool,
} from '../../planner/index.js';
import type { Evidence } from '../evidence.js';
import { type Mentions, mentionsIn } from '../mentions.js';
import { pairKey } from '../past/past-plan.js';
import { chanceBefore } from './chance-before.js';

/** What may speak for one member of a plan giving its result to another. In this order. */
export const LINK_SIGNALS = [
  'bias',
  /** How often values went that way when both were called, as log-odds. */
  'flowed',
  /** How often both were called in executions that recorded it, as a logarithm. */
  'together',
  /** How likely the first comes before the second, around 0; and the same as far as it is known. */
  'before',
  'surelyBefore',
  /** The share of like runs with both in which values went that way, or did not. */
  'similarDid',
  'similarDidNot',
  /** How likely a value of the first fits a parameter of the second. */
  'fits',
  'fitsWell',
  /** Whether the intent speaks of the second later, and right after the first. */
  'mentionedAfter',
  'mentionedNext',
  /** Whether the second is right after the first, or anywhere after it, in the likeliest order. */
  'next',
  'after',
  /** How often the first gives values to anything, and the second takes any, as log-odds. */
  'gives',
  'takes',
  /** One over the number of members. */
  'few',
  'sameServer',
  /** Whether they are the only two, in that order. */
  'onlyTwo',
] as const;

export interface LinkCandidate {
  readonly from: ToolId;
  readonly to: ToolId;
  /** One number for each of `LINK_SIGNALS`. */
  readonly signals: Float64Array;
}

export interface LinkOptions {
  /** What planning needs to know of tools; of those that are there. */
  readonly plannable: (ids: Iterable<ToolId>) => ReadonlyMap<ToolId, PlannableTool>;
}

export interface LinkedMembers {
  /** Every ordered pair. */
  readonly links: readonly LinkCandidate[];
  /** The members in the order they are likeliest to run. */
  readonly order: readonly ToolId[];
}

/** Something seen once is no certainty. */
const DOUBT = 2;

/**
 * Everything that speaks for and against links between the members of a plan. The order in which members
 * are given must not matter: a replayed run gives them in the order in which it called them.
 */
export function linkSignals(
  given: readonly ToolId[],
  evidence: Evidence,
  { plannable }: LinkOptions,
): LinkedMembers {
  const { pairs, similar } = evidence;
  const members = given.toSorted();
  const mentionOf = mentionsIn(evidence, members);
  const known = new Map(
    members.flatMap((from) =>
      members.map((to) => [pairKey(from, to), pairs.pair(from, to)] as const),
    ),
  );
  const pairOf = (from: ToolId, to: ToolId) => known.get(pairKey(from, to)) as PairMemory;
  const before = (from: ToolId, to: ToolId) =>
    chanceBefore([from, to], { evidence, mentionOf, pair: pairOf(from, to) });
  const order = orderOf(members, before);
  const placeOf = new Map(order.map((tool, place) => [tool, place]));
  const mentioned = placesOf(members, mentionOf);
  const fits = flowScores(members, { tools: plannable(members), memory: pairs });
  const rate = usualRate(known.values(), pairs.usualRate);
  const links = members.flatMap((from) =>
    members.flatMap((to) => (from === to ? [] : [{ from, to, signals: signalsOf(from, to) }])),
  );
  return { links, order };

  function signalsOf(from: ToolId, to: ToolId): Float64Array {
    const { flowed, recorded, ordered } = pairOf(from, to);
    const earlier = before(from, to);
    const votes = votesOf(similar, from, to);
    const distance = placeOf.get(to)! - placeOf.get(from)!;
    const mention = (mentionOf(to) ?? 0.5) - (mentionOf(from) ?? 0.5);
    const fit = fits.get(pairKey(from, to)) ?? 0;
    const gave = pairs.gave(from);
    const took = pairs.took(to);
    const values: Record<(typeof LINK_SIGNALS)[number], number> = {
      bias: 1,
      flowed: logOdds((flowed + DOUBT * rate) / (recorded + DOUBT)),
      together: Math.log1p(recorded),
      before: earlier - 0.5,
      surelyBefore: Math.min(1, ordered / 5) * (earlier - 0.5),
      similarDid: votes.did,
      similarDidNot: votes.didNot,
      fits: fit > 0 ? 1 : 0,
      fitsWell: fit,
      mentionedAfter: Math.sign(mention),
      mentionedNext: mentioned.get(to)! - mentioned.get(from)! === 1 ? 1 : 0,
      next: distance === 1 ? 1 : 0,
      after: distance > 0 ? 1 : 0,
      gives: logOdds((gave.times + DOUBT * pairs.usualRate) / (gave.chances + DOUBT)),
      takes: logOdds((took.times + DOUBT * pairs.usualRate) / (took.chances + DOUBT)),
      few: 1 / members.length,
      sameServer: parseToolId(from).server === parseToolId(to).server ? 1 : 0,
      onlyTwo: members.length === 2 && distance > 0 ? 1 : 0,
    };
    return Float64Array.from(LINK_SIGNALS, (signal) => values[signal]);
  }
}

/** How often a pair that was called together passed values, on the whole. */
function usualRate(known: Iterable<PairMemory>, fallback: number): number {
  let flowed = 0.5 * fallback;
  let recorded = 1;
  for (const pair of known) {
    flowed += pair.flowed;
    recorded += pair.recorded;
  }
  return Math.min(0.5, flowed / recorded);
}

function votesOf(similar: Evidence['similar'], from: ToolId, to: ToolId) {
  let did = 0;
  let didNot = 0;
  for (const { plan, share } of similar) {
    if (!plan.flows || !plan.tools.includes(from) || !plan.tools.includes(to)) continue;
    if (plan.flows.has(pairKey(from, to))) did += share;
    else didNot += share;
  }
  return { did, didNot };
}

/** How many places before that of each tool the intent mentions; a tool that it does not mention is in the middle. */
function placesOf(members: readonly ToolId[], mentionOf: Mentions): ReadonlyMap<ToolId, number> {
  const placeOf = (tool: ToolId) => mentionOf(tool) ?? 0.5;
  const places = [...new Set(members.map(placeOf))].toSorted((a, b) => a - b);
  return new Map(members.map((tool) => [tool, places.indexOf(placeOf(tool))]));
}

/** By how many of the others each comes before. */
function orderOf(
  members: readonly ToolId[],
  before: (from: ToolId, to: ToolId) => number,
): readonly ToolId[] {
  const lateness = new Map(
    members.map((tool) => [
      tool,
      members.reduce((sum, other) => sum + (other === tool ? 0 : before(other, tool)), 0),
    ]),
  );
  return members.toSorted((a, b) => lateness.get(a)! - lateness.get(b)! || (a < b ? -1 : 1));
}

/** The best score of a value going from one to the other, by the inference that completes plans. */
function flowScores(
  members: readonly ToolId[],
  options: InferOptions,
): ReadonlyMap<string, number> {
  const tasks = members.map((tool, place) => ({
    id: taskId(`m${place}`),
    tool,
    needs: [],
    open: 'all' as const,
  }));
  const toolOf = new Map(tasks.map(({ id, tool }) => [id, tool]));
  const scores = new Map<string, number>();
  for (const { from, to, score } of inferFlow(tasks, options).links) {
    const key = pairKey(toolOf.get(from)!, toolOf.get(to)!);
    scores.set(key, Math.max(score, scores.get(key) ?? 0));
  }
  return scores;
}
