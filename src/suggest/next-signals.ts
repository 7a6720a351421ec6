import { parseToolId, type ToolId } from '../core/index.js';
import {
  areInOneCommunity,
  cooccurrenceOf,
  importanceOf,
  nextStepScore,
  recencyOf,
} from '../graph/index.js';
import { nounsOf, verbOf } from '../words/index.js';
import type { Evidence } from './evidence.js';
import { feedingBy } from './links/feeding.js';
import { mentionsIn } from './mentions.js';
import { mostOften } from './past/most-often.js';

/** What may speak for a tool being called next. Weights refer to these names, in this order. */
export const NEXT_SIGNALS = [
  /** How likely the intent wants it, as a logarithm. */
  'likely',
  /** The same, of the likeliest that is not done yet. */
  'likelyShare',
  /** How often it came right after the last one, as a logarithm and as it is. */
  'afterLog',
  'after',
  /** The share of like runs in which it came right after the last one. */
  'similarNext',
  /** The share of like runs it was in. */
  'similarHas',
  /** The share of like runs in which it came first of what is not done yet. */
  'similarRest',
  /** Whether it is of the server of the last one, or of any. */
  'sameServer',
  'anyServer',
  /** Whether it was called in this run. */
  'done',
  /** Whether it came after the last one earlier in this run. */
  'own',
  /** How often it came anywhere after one that was done of late. */
  'later',
  /** How often it took values of one that is done; and of all it takes values of, the share that is done. */
  'fed',
  'ready',
  'uses',
  /** Whether the intent speaks of it after the last one, and how near. */
  'mentionedAfter',
  'mentionedNear',
  /** How likely the intent wants it, where nothing is known of what follows the last one. */
  'likelyAlone',
  /** How much likelier its kind of work is after that of the last one than at all. */
  'verbs',
  'sameNouns',
  'sameVerb',
  /** Co-occurrence, community, recency and importance in the graph, by fixed shares. */
  'step',
] as const;

export interface NextCandidate {
  readonly tool: ToolId;
  /** One number for each of `NEXT_SIGNALS`. */
  readonly signals: Float64Array;
}

/** So many tools of the server of the last call are looked at, whatever the intent says. */
const SERVER_TOOLS = 60;
/** So many of what came after the last call, and of what is in like runs. */
const FOLLOWERS = 100;
/** What was done before so many others says no more of what comes later. */
const LOOKED_BACK = 12;
const LEAST_LIKELY = 0.003;

/** The tools that may be next after `done`, in the order it was done, with what speaks for each. */
export function nextSignals(
  done: readonly ToolId[],
  evidence: Evidence,
  serverTools: (id: ToolId) => readonly ToolId[],
): readonly NextCandidate[] {
  const last = done.at(-1);
  if (last === undefined) return [];
  const { graph, metrics, now, plans, pairs, likely, similar } = evidence;
  const isDone = new Set(done);
  const recent = new Set(done.slice(-LOOKED_BACK));
  const chance = new Map(likely.map(({ tool, probability }) => [tool, probability]));
  const after = new Map(
    graph.out(last, ['sequence']).map(({ to, observed, failed }) => [to, observed + failed]),
  );
  const afterAll = [...after.values()].reduce((sum, count) => sum + count, 0);
  const like = likeRuns(similar, last, isDone);
  const candidates = new Set<ToolId>(
    [
      ...chance.keys(),
      ...mostOften(after, FOLLOWERS),
      ...isDone,
      ...mostOften(like.has, FOLLOWERS),
      ...serverTools(last).slice(0, SERVER_TOOLS),
    ].filter((tool) => tool !== last && evidence.toolOf(tool) !== undefined),
  );
  const open = [...candidates].filter((tool) => !isDone.has(tool));
  const most = open.reduce((best, tool) => Math.max(best, chance.get(tool) ?? 0), 1e-6);
  const mentionOf = mentionsIn(evidence, [...candidates, last]);
  const lastMention = mentionOf(last);
  const serverOf = (tool: ToolId) => parseToolId(tool).server;
  const servers = new Set(done.map(serverOf));
  const own = new Set(
    done.flatMap((tool, place) => (tool === last ? (done[place + 1] ?? []) : [])),
  );
  const feeding = feedingBy(graph, isDone);
  const runsOf = (tool: ToolId) => graph.node(tool)?.runs ?? 0;
  const lastNouns = nounsOf(last);
  return [...candidates].map((tool) => {
    const probability = chance.get(tool) ?? 0;
    const followed = after.get(tool) ?? 0;
    // Older executions than are remembered as plans may be counted, too.
    const usual = Math.min(1, runsOf(tool) / (plans.size + 1));
    const mention = mentionOf(tool);
    const isPlaced = mention !== undefined && lastMention !== undefined;
    const values: Record<(typeof NEXT_SIGNALS)[number], number> = {
      likely: Math.log(probability + LEAST_LIKELY) + 6,
      likelyShare: probability / most,
      afterLog: Math.log(followed + 2 * usual + 0.02) - Math.log(afterAll + 2) + 4,
      after: followed / (afterAll + 2),
      similarNext: like.next.get(tool) ?? 0,
      similarHas: like.has.get(tool) ?? 0,
      similarRest: like.rest.get(tool) ?? 0,
      sameServer: serverOf(tool) === serverOf(last) ? 1 : 0,
      anyServer: servers.has(serverOf(tool)) ? 1 : 0,
      done: isDone.has(tool) ? 1 : 0,
      own: own.has(tool) ? 1 : 0,
      later: laterThan(tool),
      ...feeding(tool),
      uses: Math.log1p(runsOf(tool)),
      mentionedAfter: isPlaced && mention > lastMention ? 1 : 0,
      mentionedNear: isPlaced ? -Math.abs(mention - lastMention) : -0.5,
      likelyAlone: afterAll === 0 ? probability : 0,
      verbs: plans.verbLift(last, tool),
      sameNouns: overlap(lastNouns, nounsOf(tool)),
      sameVerb: verbOf(tool) === verbOf(last) ? 1 : 0,
      step: nextStepScore({
        cooccurrence: cooccurrenceOf(graph, last, tool),
        community: areInOneCommunity(metrics, last, tool) ? 1 : 0,
        recency: recencyOf(graph.node(tool)?.lastAt ?? 0, now),
        importance: importanceOf(metrics, tool),
      }),
    };
    return { tool, signals: Float64Array.from(NEXT_SIGNALS, (signal) => values[signal]) };
  });

  function laterThan(tool: ToolId): number {
    let most = 0;
    for (const earlier of recent) {
      const { inOrder } = pairs.pair(earlier, tool);
      most = Math.max(most, inOrder / (runsOf(earlier) + 2));
    }
    return most;
  }
}

interface LikeRuns {
  readonly next: ReadonlyMap<ToolId, number>;
  readonly has: ReadonlyMap<ToolId, number>;
  readonly rest: ReadonlyMap<ToolId, number>;
}

/** What runs that were asked for in like words did. */
function likeRuns(
  similar: Evidence['similar'],
  last: ToolId,
  isDone: ReadonlySet<ToolId>,
): LikeRuns {
  const next = new Map<ToolId, number>();
  const has = new Map<ToolId, number>();
  const rest = new Map<ToolId, number>();
  const add = (votes: Map<ToolId, number>, tool: ToolId | undefined, share: number) => {
    if (tool) votes.set(tool, (votes.get(tool) ?? 0) + share);
  };
  for (const { plan, share } of similar) {
    const { steps } = plan;
    const at = steps.lastIndexOf(last);
    if (at >= 0) add(next, steps[at + 1], share);
    for (const tool of new Set(steps)) add(has, tool, share);
    const lastDone = steps.findLastIndex((tool) => isDone.has(tool));
    if (lastDone >= 0) {
      add(
        rest,
        steps.slice(lastDone + 1).find((tool) => !isDone.has(tool)),
        share,
      );
    }
  }
  return { next, has, rest };
}

function overlap(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return 0;
  const common = one.filter((part) => other.includes(part)).length;
  return common / Math.max(one.length, other.length);
}
