import { parseToolId, type ToolId } from '../../core/index.js';
import type { Evidence } from '../evidence.js';
import { mentionsIn } from '../mentions.js';
import { mostOften } from '../past/most-often.js';
import { StepCounts } from '../past/step-counts.js';
import { lentFollowers } from './lent-followers.js';
import { MOMENT_SIGNALS, momentSignals } from './moment-signals.js';
import type { SessionMoment } from './moment.js';
import { PLANNED_SIGNALS, type PlannedSignals } from './planned-signals.js';

/**
 * The signals for the next tool. Weights refer to these names, in this order. Most stores have few
 * runs to learn weights from: the shipped weights hold them.
 */
export const NEXT_SIGNALS = [
  /** The log-probability after the last two steps, from past runs and from this run so far. */
  'follows',
  /** How likely the intent wants it, as a logarithm. */
  'likely',
  /** How likely the intent wants it. Only set if no past run called the last tool. */
  'likelyAlone',
  /** The share of similar runs in which it came right after the last steps. */
  'similarNext',
  /** The share of like runs in which it came first of what is not done yet. */
  'similarRest',
  /** Whether it belongs to the server of the last call, or of any earlier call. */
  'sameServer',
  'anyServer',
  /** Whether it was called in this run. */
  'done',
  /** Whether the intent speaks of it after the last one, and how near. */
  'mentionedAfter',
  'mentionedNear',
  /** How likely it comes next by this run alone, how often this run called it, as a logarithm. */
  'returns',
  'often',
  /** Whether it was the step before the last one. */
  'beforeLast',
  /** How much likelier its kind of work is after that of the last step than at all. */
  'kind',
  /** How likely it came after the tools most like the last one. Only set if few runs called that. */
  'lent',
  ...MOMENT_SIGNALS,
  ...PLANNED_SIGNALS,
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
/** So many of what came after the tools most like the last one. */
const LENT = 20;
const LEAST_LIKELY = 0.003;
const LEAST_FOLLOWING = 0.002;
/** Added to log-probabilities, so that a tool without evidence is near 0. */
const RAISED = 6;
/**
 * The weight of this run against past runs: agents work in loops. Chosen on recorded runs of livemcp
 * and toolathlon, where values from 0.2 to 0.6 do about equally well and 0 does clearly worse.
 */
const OWN_SHARE = 0.4;
/** The weights of runs with the same last two steps, and of runs with the same last step only. */
const SAME_TWO = 0.5;

export interface NextPorts {
  /** All tools of the server of a tool. Not all of them are read if there are many. */
  readonly serverTools: (id: ToolId) => Iterable<ToolId>;
  /** What the session knows of the moment. */
  readonly moment?: SessionMoment | undefined;
  /** What the plan for the request says about each tool; without it, those signals are 0. */
  readonly planned?: ((tool: ToolId) => PlannedSignals) | undefined;
}

const UNPLANNED: PlannedSignals = { member: 0, turn: 0 };

/** The tools that may be next after `done`, in the order it was done, with what speaks for each. */
export function nextSignals(
  done: readonly ToolId[],
  evidence: Evidence,
  { serverTools, moment = {}, planned }: NextPorts,
): readonly NextCandidate[] {
  const last = done.at(-1);
  if (last === undefined) return [];
  const { graph, plans, likely, similar } = evidence;
  const isDone = new Set(done);
  const chance = new Map(likely.map(({ tool, probability }) => [tool, probability]));
  const after = graph
    .out(last, ['sequence'])
    .map(({ to, observed, failed }) => [to, observed + failed] as const);
  const like = likeRuns(similar, done, isDone);
  const lent = lentFollowers(last, evidence);
  const candidates = new Set<ToolId>(
    [
      ...chance.keys(),
      ...mostOften(after, FOLLOWERS),
      ...isDone,
      ...mostOften(like.has, FOLLOWERS),
      ...mostOften(lent, LENT),
      ...(moment.offered?.flat() ?? []),
      ...firstOf(serverTools(last), SERVER_TOOLS),
    ].filter((tool) => tool !== last && evidence.toolOf(tool) !== undefined),
  );
  const mentionOf = mentionsIn(evidence, [...candidates, last]);
  const lastMention = mentionOf(last);
  const serverOf = (tool: ToolId) => parseToolId(tool).server;
  const servers = new Set(done.map(serverOf));
  const own = ownChances(done);
  const past = plans.chancesAfter(done);
  const times = new Map<ToolId, number>();
  for (const tool of done) times.set(tool, (times.get(tool) ?? 0) + 1);
  const ofMoment = momentSignals(candidates, { done, moment, evidence });
  return [...candidates].map((tool) => {
    const probability = chance.get(tool) ?? 0;
    const mention = mentionOf(tool);
    const isPlaced = mention !== undefined && lastMention !== undefined;
    const values: Record<(typeof NEXT_SIGNALS)[number], number> = {
      ...ofMoment(tool),
      ...(planned?.(tool) ?? UNPLANNED),
      follows:
        Math.log((1 - OWN_SHARE) * past(tool) + OWN_SHARE * own(tool) + LEAST_FOLLOWING) + RAISED,
      likely: Math.log(probability + LEAST_LIKELY) + RAISED,
      likelyAlone: after.length === 0 ? probability : 0,
      similarNext: like.next.get(tool) ?? 0,
      similarRest: like.rest.get(tool) ?? 0,
      sameServer: serverOf(tool) === serverOf(last) ? 1 : 0,
      anyServer: servers.has(serverOf(tool)) ? 1 : 0,
      done: isDone.has(tool) ? 1 : 0,
      mentionedAfter: isPlaced && mention > lastMention ? 1 : 0,
      mentionedNear: isPlaced ? -Math.abs(mention - lastMention) : -0.5,
      returns: own(tool),
      often: Math.log(times.get(tool) ?? 1),
      beforeLast: tool === done.at(-2) ? 1 : 0,
      kind: plans.verbLift(last, tool),
      lent: lent.get(tool) ?? 0,
    };
    return { tool, signals: Float64Array.from(NEXT_SIGNALS, (signal) => values[signal]) };
  });
}

function firstOf(tools: Iterable<ToolId>, most: number): readonly ToolId[] {
  const first: ToolId[] = [];
  for (const tool of tools) {
    if (first.push(tool) === most) break;
  }
  return first;
}

/** From the steps that followed the same steps earlier in this run. */
function ownChances(done: readonly ToolId[]): (tool: ToolId) => number {
  const inThisRun = new StepCounts();
  inThisRun.add(done);
  return inThisRun.chancesAfter(done);
}

interface LikeRuns {
  readonly next: ReadonlyMap<ToolId, number>;
  readonly has: ReadonlyMap<ToolId, number>;
  readonly rest: ReadonlyMap<ToolId, number>;
}

/** What runs that were asked for in like words did. */
function likeRuns(
  similar: Evidence['similar'],
  done: readonly ToolId[],
  isDone: ReadonlySet<ToolId>,
): LikeRuns {
  const next = new Map<ToolId, number>();
  const has = new Map<ToolId, number>();
  const rest = new Map<ToolId, number>();
  const add = (votes: Map<ToolId, number>, tool: ToolId | undefined, share: number) => {
    if (tool) votes.set(tool, (votes.get(tool) ?? 0) + share);
  };
  const [before, last] = [done.at(-2), done.at(-1)];
  for (const { plan, share } of similar) {
    const { steps } = plan;
    const places = steps.flatMap((tool, place) => (tool === last ? [place] : []));
    const ofTwo = places.filter((place) => before !== undefined && steps[place - 1] === before);
    const vote = (some: readonly number[], weight: number) => {
      for (const place of some) add(next, steps[place + 1], (share * weight) / some.length);
    };
    vote(ofTwo, SAME_TWO);
    vote(places, ofTwo.length > 0 ? 1 - SAME_TWO : 1);
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
